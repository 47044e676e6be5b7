import { categoryLabel, useCategories } from '../categories.js'
import { Status } from '../parts/status.js'
import { html } from '../preact.js'

/** An animal to look at, for who may not change it. */
export function AnimalDetails({ pet }) {
  const names = useCategories()
  return html`<dl class="details">
    <div><dt>Number</dt><dd>${pet.id}</dd></div>
    <div><dt>Category</dt><dd><bdi>${categoryLabel(names, pet.categoryId)}</bdi></dd></div>
    <div><dt>Status</dt><dd><${Status} value=${pet.status} /></dd></div>
  </dl>`
}
