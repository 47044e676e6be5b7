import type { Pet, WithEtag } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.ts'
import { shortName } from '../../components/format.ts'
import { html, useState, type VNode } from '../../preact.js'
import { dropDraft } from '../../state/drafts.ts'
import { notify } from '../../state/notices.ts'
import { removePet } from '../../state/pets.ts'

/** Asks for confirmation, because it is final: a number is never used again. */
export function DeleteAnimal({ pet, onDeleted }: { pet: WithEtag<Pet>; onDeleted: () => void }): VNode {
  const [isAsking, setAsking] = useState(false)
  const name = html`<bdi>${shortName(pet.name)}</bdi>`

  async function remove(): Promise<void> {
    await removePet(pet)
    dropDraft(`pet-${pet.id}`)
    onDeleted()
    notify(html`${name} was deleted`)
  }
  return html`<section class="sheet-section">
    <button type="button" class="button plain danger-text" onClick=${() => setAsking(true)}>Delete this animal…</button>
    ${
      isAsking &&
      html`<${Confirm}
        title="Delete this animal?"
        action="Delete for good"
        isDangerous
        act=${remove}
        onClose=${() => setAsking(false)}
      >
        ${name} will be gone for good, and the number ${pet.id} is never given again.
      <//>`
    }
  </section>`
}
