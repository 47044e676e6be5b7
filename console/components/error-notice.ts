import { errorText } from '../api/error-text.ts'
import { html, type VNode } from '../preact.js'
import { Icon } from './icons.ts'

/** An error message, announced at once, with a retry if possible. Nothing without an error. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => unknown }): VNode | null {
  if (error === undefined) return null
  return html`<div class="error-notice" role="alert">
    <${Icon} name="warning" />
    <p>${errorText(error)}</p>
    ${retry !== undefined && html`<button type="button" class="button small" onClick=${() => retry()}>Try again</button>`}
  </div>`
}
