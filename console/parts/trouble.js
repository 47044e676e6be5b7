import { html } from '../preact.js'
import { explain } from '../problems.js'
import { Icon } from './icons.js'

/** What went wrong, kindly, read out at once, with a way to try again where there is one. */
export function Trouble({ problem, retry }) {
  return html`<div class="trouble" role="alert">
    <${Icon} name="warning" />
    <p>${explain(problem)}</p>
    ${retry && html`<button type="button" class="button small" onClick=${retry}>Try again</button>`}
  </div>`
}
