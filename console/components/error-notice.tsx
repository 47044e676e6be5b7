import type { VNode } from 'preact'
import { errorText, isStaleLink } from '../api/error-text.ts'
import { firstPage } from '../state/page-stack.ts'
import { hrefWith } from '../state/route.ts'
import { Icon } from './icons.tsx'

interface ErrorNoticeProps {
  error: unknown
  retry?: () => unknown
  /** Whether the user typed something, which is kept. */
  isTyped?: boolean
}

/** An error message, announced at once, with a retry if possible. Nothing without an error. */
export function ErrorNotice({ error, retry, isTyped = false }: ErrorNoticeProps): VNode | null {
  if (error === undefined) return null
  return (
    <div class="error-notice" role="alert">
      <Icon name="warning" />
      <p>{errorText(error, isTyped)}</p>
      {isStaleLink(error) ? (
        <a class="button small" href={hrefWith(firstPage)}>
          First page
        </a>
      ) : (
        retry !== undefined && (
          <button type="button" class="button small" onClick={() => retry()}>
            Try again
          </button>
        )
      )}
    </div>
  )
}
