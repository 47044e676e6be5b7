import { html } from '../preact.js'

/** A label, a control, and beside it what is asked or what is wrong. `control` gets what ties them together. */
export function Field({ id, label, hint, fault, control }) {
  const tied = {
    id,
    'aria-describedby': `${id}-note`,
    'aria-invalid': fault === undefined ? undefined : 'true',
  }
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control(tied)}
    <p id="${id}-note" class=${fault === undefined ? 'note' : 'note fault'} aria-live="polite">${fault ?? hint}</p>
  </div>`
}
