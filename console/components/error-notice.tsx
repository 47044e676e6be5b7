import type { VNode } from 'preact'
import { errorText } from '../api/error-text.ts'
import { Icon } from './icons.tsx'

/** An error message, announced at once, with a retry if possible. Nothing without an error. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => unknown }): VNode | null {
  if (error === undefined) return null
  return (
    <div class="error-notice" role="alert">
      <Icon name="warning" />
      <p>{errorText(error)}</p>
      {retry !== undefined && (
        <button type="button" class="button small" onClick={() => retry()}>
          Try again
        </button>
      )}
    </div>
  )
}
