import { announce } from '../announce.js'
import { dropDraft } from '../drafts.js'
import { shortName } from '../format.js'
import { Confirm } from '../parts/dialog.js'
import { removePet } from '../pets.js'
import { html, useState } from '../preact.js'

/** Asked for twice, because it is for good: a number is never given again. */
export function DeleteAnimal({ seen, onDeleted }) {
  const [isAsking, setAsking] = useState(false)
  const name = shortName(seen.pet.name)

  async function remove() {
    await removePet(seen)
    dropDraft(`pet-${seen.pet.id}`)
    onDeleted()
    announce(`${name} was deleted`)
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
        <bdi>${name}</bdi> will be gone for good, and the number ${seen.pet.id} is never given again.
      <//>`
    }
  </section>`
}
