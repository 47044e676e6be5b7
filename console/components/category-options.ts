import { html, type VNode } from '../preact.js'
import { categoryText, useCategories } from '../state/categories.ts'

/** What an input for a category proposes. */
export function CategoryOptions({ id }: { id: string }): VNode {
  const known = useCategories()
  return html`<datalist id=${id}>
    ${[...known.names.keys()].map((digits) => html`<option key=${digits} value=${categoryText(digits, known)}></option>`)}
  </datalist>`
}
