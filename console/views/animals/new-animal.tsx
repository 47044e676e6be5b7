import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { NewPet } from '../../../client/src/index.ts'
import { randomId } from '../../../client/src/random-id.ts'
import { shortName } from '../../components/format.ts'
import { dropDraft, setDraft, readDraft } from '../../state/drafts.ts'
import { notify } from '../../state/notices.ts'
import { createPet } from '../../state/pets.ts'
import { hrefOfAnimal } from '../../state/route.ts'
import { AnimalForm } from './animal-form.tsx'

const defaults: Partial<NewPet> = { status: 'available' }

/** Adds an animal, or several: the next one has the category and the status of the one before. */
export function NewAnimal({ onClose }: { onClose: () => void }): VNode {
  const [first, setFirst] = useState(defaults)

  async function add(pet: NewPet): Promise<boolean> {
    const created = await createPet(pet, idempotencyKeyFor(pet))
    dropDraft('new-key')
    notify(
      <>
        <bdi>{shortName(created.name)}</bdi> was added with the number {created.id}
      </>,
      {
        href: hrefOfAnimal(created.id),
        text: 'Show',
      },
    )
    return true
  }
  return (
    <AnimalForm
      draftName="new"
      pet={first}
      submitText="Add"
      busyText="Adding…"
      onSubmit={add}
      onDone={onClose}
      onAnother={({ categoryId, status }) => setFirst({ categoryId, ...(status !== undefined && { status }) })}
    />
  )
}

interface KeyOfContent {
  content: string
  key: string
}

/** The same animal sent again has the same key, even after a reload: it is added once. */
function idempotencyKeyFor({ name, categoryId, status }: NewPet): string {
  const content = JSON.stringify([name, String(categoryId), status])
  const before = readDraft('new-key') as KeyOfContent | undefined
  if (before?.content === content) return before.key
  const key = randomId()
  setDraft('new-key', { content, key } satisfies KeyOfContent)
  return key
}
