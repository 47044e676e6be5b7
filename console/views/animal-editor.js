import { announce } from '../announce.js'
import { categoryLabel, useCategories } from '../categories.js'
import { dropDraft } from '../drafts.js'
import { shortName } from '../format.js'
import { isOwnChange } from '../own-changes.js'
import { statusWords } from '../parts/status.js'
import { changePet, isSame } from '../pets.js'
import { html, useEffect, useRef, useState } from '../preact.js'
import { AnimalForm } from './animal-form.js'

/**
 * Changes an animal, and only if it is still as it was seen. What somebody else changed meanwhile is told; what was typed
 * here stays, and is saved on top when asked again.
 */
export function AnimalEditor({ animal: { seen, openOrder, reload }, onClose }) {
  const [meanwhile, setMeanwhile] = useState()
  const latest = useRef(seen.pet)
  useEffect(() => {
    if (isSame(latest.current, seen.pet)) return
    if (!isOwnChange(latest.current, seen.pet)) setMeanwhile({ before: latest.current, now: seen.pet })
    latest.current = seen.pet
  }, [seen])

  async function save(pet) {
    const change = differences(seen.pet, pet)
    if (Object.keys(change).length > 0) {
      try {
        await changePet(seen, change)
      } catch (problem) {
        if (problem.code !== 'precondition_failed') throw problem
        const now = await reload()
        // What was asked for is so already: an answer was lost on its way.
        if (now === undefined || !isSame(now.pet, pet)) return
      }
      announce(`${shortName(pet.name)} was saved`)
    }
    dropDraft(`pet-${seen.pet.id}`)
    onClose()
  }

  return html`
    ${meanwhile && html`<${Meanwhile} ...${meanwhile} />`}
    <${AnimalForm}
      draft=${`pet-${seen.pet.id}`}
      pet=${seen.pet}
      isStatusFixed=${openOrder !== undefined}
      submitWords="Save"
      busyWords="Saving…"
      onSubmit=${save}
    />
  `
}

function differences(before, after) {
  const change = {}
  if (after.name !== before.name) change.name = after.name
  if (String(after.categoryId) !== String(before.categoryId)) change.categoryId = after.categoryId
  if (after.status !== before.status) change.status = after.status ?? null
  return change
}

function Meanwhile({ before, now }) {
  const names = useCategories()
  const change = differences(before, now)
  return html`<div class="meanwhile" role="alert">
    <p><strong>Somebody changed this animal meanwhile.</strong> What you typed is kept; save to put it in place.</p>
    <ul>
      ${change.name !== undefined && html`<li>The name is now <bdi>${now.name}</bdi></li>`}
      ${
        change.categoryId !== undefined &&
        html`<li>The category is now <bdi>${categoryLabel(names, now.categoryId)}</bdi></li>`
      }
      ${change.status !== undefined && html`<li>The status is now ${statusWords[now.status ?? 'none'].toLowerCase()}</li>`}
    </ul>
  </div>`
}
