import { useCategories } from '../categories.js'
import { html } from '../preact.js'

/** What an input for a category proposes. */
export function CategoryOptions({ id = 'categories' }) {
  const names = useCategories()
  return html`<datalist id=${id}>
    ${[...names].map(([digits, name]) => html`<option key=${digits} value=${name}>${digits}</option>`)}
  </datalist>`
}
