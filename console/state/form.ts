import { dropDraft, readDraft, setDraft, useDraft } from './drafts.ts'

export interface Form<Values> {
  draftName: string
  values: Values
  set: (change: Partial<Values>) => void
  /** Drops the draft, once the service has stored the values. */
  drop: () => void
}

/** The values of a form. Those that differ from `initial` are its draft, which is kept until it is sent or discarded. */
export function useForm<Values extends object>(draftName: string, initial: Values): Form<Values> {
  const draft = useDraft(draftName) as Partial<Values> | undefined
  return {
    draftName,
    values: { ...initial, ...draft },
    set(change) {
      const typed = Object.entries({ ...readDraft(draftName), ...change })
      const kept = typed.filter(([member, value]) => !isSame(value, initial[member as keyof Values]))
      if (kept.length === 0) dropDraft(draftName)
      else setDraft(draftName, Object.fromEntries(kept))
    },
    drop: () => dropDraft(draftName),
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
