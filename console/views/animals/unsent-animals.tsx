import type { ComponentChildren } from 'preact'
import { shortName } from '../../components/format.ts'
import { dropDraft, readDraft, setDraft, useDraft } from '../../state/drafts.ts'

const draftName = 'new-unsent'

interface Unsent {
  names: readonly string[]
}

/** Keeps the name of an animal that was not added, while the next one was typed in its place. */
export function keepUnsent(name: string): void {
  setNames([...((readDraft(draftName) as Unsent | undefined)?.names ?? []), name])
}

export function forgetUnsent(): void {
  setNames([])
}

function setNames(names: readonly string[]): void {
  if (names.length === 0) dropDraft(draftName)
  else setDraft(draftName, { names } satisfies Unsent)
}

interface UnsentAnimalsProps {
  /** The name in the form. */
  name: string
  setName: (name: string) => void
}

/** The names that were not added. One that is put back changes places with the name in the form. */
export function UnsentAnimals({ name, setName }: UnsentAnimalsProps): ComponentChildren {
  const { names } = (useDraft(draftName) as Unsent | undefined) ?? { names: [] }
  function putBack(index: number): void {
    setName(names[index] ?? name)
    setNames(names.toSpliced(index, 1, ...(name === '' ? [] : [name])))
  }
  return names.map((unsent, index) => (
    <div key={`${index} ${unsent}`} class="kept-draft" role="alert">
      <p>
        <bdi>{shortName(unsent)}</bdi> was not added.
      </p>
      <button type="button" class="button small" onClick={() => putBack(index)}>
        Put it back
      </button>
      <button type="button" class="button small" onClick={() => setNames(names.toSpliced(index, 1))}>
        Forget it
      </button>
    </div>
  ))
}
