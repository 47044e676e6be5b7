import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Pet, WithEtag } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.tsx'
import { shortName } from '../../components/format.ts'
import { dropDraft } from '../../state/drafts.ts'
import { notify } from '../../state/notices.ts'
import { removePet } from '../../state/pets.ts'

/** Asks for confirmation, because it is final: a number is never used again. */
export function DeleteAnimal({ pet, onDeleted }: { pet: WithEtag<Pet>; onDeleted: () => void }): VNode {
  const [isAsking, setAsking] = useState(false)
  const name = <bdi>{shortName(pet.name)}</bdi>

  async function remove(): Promise<void> {
    await removePet(pet)
    dropDraft(`pet-${pet.id}`)
    onDeleted()
    notify(<>{name} was deleted</>)
  }
  return (
    <section class="sheet-section">
      <button type="button" class="button plain danger-text" onClick={() => setAsking(true)}>
        Delete this animal…
      </button>
      {isAsking && (
        <Confirm
          title="Delete this animal?"
          action="Delete for good"
          isDangerous
          act={remove}
          onClose={() => setAsking(false)}
        >
          {name} will be gone for good, and the number {pet.id} is never given again.
        </Confirm>
      )}
    </section>
  )
}
