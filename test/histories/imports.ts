import type { Feed } from './feed.ts'
import {
  type Animal,
  type Anomaly,
  type Answer,
  type Ask,
  type Call,
  type FeedEvent,
  type Import,
  numberOf,
  type UndoResult,
} from './history.ts'
import { hasOpenOrder } from './pages.ts'

type Undo = Extract<Ask, { kind: 'undo' }>

/** Which animals each import has added, and what became of them. */
export function importChecker(calls: readonly Call[], feed: Feed) {
  const importOf = new Map(calls.flatMap(({ id, ask }) => (ask.kind === 'import' ? [[id, ask.importId]] : [])))
  const added = Map.groupBy(
    feed.events.filter(({ type, requestid }) => type === 'petstore.pet.created' && importOf.has(requestid ?? '')),
    ({ requestid }) => importOf.get(requestid ?? '') as string,
  )
  /** The first event of each animal that is not its creation. */
  const firstChange = new Map<number, number>()
  for (const event of feed.events)
    if (event.type === 'petstore.pet.updated' && !firstChange.has(event.data.id))
      firstChange.set(event.data.id, numberOf(event))
  const undos = Map.groupBy(
    calls.filter(({ ask }) => ask.kind === 'undo'),
    ({ ask }) => (ask as Undo).importId,
  )

  /** Of an import, after so many events: the animals that are left, and of these the ones that an undo does not remove. */
  function leftOf(importId: string, position: number): { left: Animal[]; kept: number[] } | undefined {
    const state = feed.stateAt(position)
    if (state === undefined) return undefined
    const left = (added.get(importId) ?? [])
      .filter((event) => numberOf(event) <= position && state.animals.has(event.data.id))
      .map(({ data }) => data as Animal)
    const isKept = ({ id }: Animal) => (firstChange.get(id) ?? Infinity) <= position || hasOpenOrder(state, id)
    return { left, kept: left.filter(isKept).map(({ id }) => id) }
  }

  /** Whether an import may have been undone before a moment. */
  function mayBeUndone(importId: string, before: number): boolean {
    return (undos.get(importId) ?? []).some(
      ({ invoked, answer, isMaybe }) => invoked < before && (answer === undefined ? isMaybe : answer.status === 200),
    )
  }

  const started = [...added].toSorted(([, [a]], [, [b]]) => numberOf(b as FeedEvent) - numberOf(a as FeedEvent))

  return {
    /** The imports after so many events, the newest first. */
    listAt: (position: number): Import[] =>
      started.flatMap(([id, events]) => {
        const count = events.filter((event) => numberOf(event) <= position).length
        return count === 0 ? [] : [{ id, added: count, rejected: 0 }]
      }),

    /** Whether an undo did what it says, with these events, after `before` others. */
    isUndo({ importId }: Undo, { body }: Answer, events: readonly FeedEvent[], before: number): boolean {
      const found = leftOf(importId, before)
      if (found === undefined) return false
      const { removed, kept, keeps, next } = body as UndoResult
      const wanted = found.left.filter(({ id }) => !found.kept.includes(id))
      if (next !== undefined)
        return removed === events.length && events.every(({ data }) => wanted.some(({ id }) => id === data.id))
      return (
        JSON.stringify(events.map(({ data }) => data)) === JSON.stringify(wanted) &&
        removed === wanted.length &&
        kept === found.kept.length &&
        JSON.stringify(keeps.map(({ id }) => id)) === JSON.stringify(found.kept)
      )
    },

    /** Whether nothing was added to an import, after so many events. */
    isUnknown: ({ importId }: Undo, position: number): boolean =>
      (added.get(importId) ?? []).every((event) => numberOf(event) > position),

    mayBeUndone,

    /** The list of imports names those that were undone, and no others. */
    checkListed(): Anomaly[] {
      return calls.flatMap((call) => {
        if (call.ask.kind !== 'imports' || call.answer?.status !== 200) return []
        return (call.answer.body as Import[]).flatMap(({ id, undoneAt }) => {
          const certain = (undos.get(id) ?? []).find(
            ({ answer, returned }) => isWhole(answer) && returned < call.invoked,
          )
          if (undoneAt === undefined ? certain === undefined : mayBeUndone(id, call.returned)) return []
          const what = undoneAt === undefined ? 'not undone, and it was' : 'undone, and nobody asked for it'
          return [{ rule: `the list says that ${id} is ${what}`, calls: certain ? [certain, call] : [call] }]
        })
      })
    },

    /** Nothing is added to an import that was undone. */
    checkUndone(byRequest: Map<string, FeedEvent[]>): Anomaly[] {
      const wrong: Anomaly[] = []
      for (const call of calls) {
        if (call.ask.kind !== 'import') continue
        const first = byRequest.get(call.id)?.[0]
        if (first === undefined) continue
        const undo = (undos.get(call.ask.importId) ?? []).find(({ id, returned, answer }) => {
          const [removed] = byRequest.get(id) ?? []
          if (removed !== undefined) return numberOf(removed) < numberOf(first)
          return answer?.status === 200 && returned < call.invoked
        })
        if (undo !== undefined)
          wrong.push({ rule: `event ${first.id} adds to an import that was undone`, calls: [undo, call] })
      }
      return wrong
    },
  }
}

/** Whether an undo is finished by this answer. */
function isWhole(answer: Answer | undefined): boolean {
  return answer?.status === 200 && (answer.body as UndoResult).next === undefined
}
