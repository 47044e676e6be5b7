import type { VNode } from 'preact'
import { dismiss, holdNotice, type Notice, type NoticeLink, releaseNotice, useNotices } from '../state/notices.ts'
import { holdPending, releasePending, undo, usePending } from '../state/pending.ts'
import { CloseButton } from './button.tsx'
import { Icon } from './icons.tsx'

/** The second click of a double click meets the notice that took the place of the first one. */
function isSecondClick({ detail }: MouseEvent): boolean {
  return detail > 1
}

function NoticeAction({ link, close }: { link: NoticeLink; close: () => void }): VNode {
  if ('href' in link)
    return (
      <a href={link.href} onClick={close}>
        {link.text}
      </a>
    )
  function act(event: MouseEvent): void {
    if (isSecondClick(event)) return
    close()
    if ('act' in link) void link.act()
  }
  return (
    <button type="button" class="button small" onClick={act}>
      {link.text}
    </button>
  )
}

function OneNotice({ number, text, link, failed }: Notice): VNode {
  return (
    <div
      class={failed === undefined ? 'toast' : 'toast failed'}
      role={failed === undefined ? undefined : 'alert'}
      onFocusIn={() => holdNotice(number)}
      onFocusOut={() => releaseNotice(number)}
    >
      <Icon name={failed === undefined ? 'check' : 'warning'} />
      <p>{text}</p>
      {link !== undefined && <NoticeAction link={link} close={() => dismiss(number)} />}
      <CloseButton label="Dismiss" onClose={() => dismiss(number)} />
    </div>
  )
}

/**
 * What is about to be done, with its Undo, what failed, and what was just done. An open dialog shows it, because what
 * is behind a dialog can be neither read nor clicked.
 */
export function Notices({ isShown }: { isShown: boolean }): VNode {
  const all = useNotices()
  const pending = usePending()
  const [notices, waiting] = isShown ? [all, pending] : [[], []]
  return (
    <div class="notices">
      <div>{notices.map((notice) => notice.failed !== undefined && <OneNotice key={notice.number} {...notice} />)}</div>
      <div role="status" aria-live="polite">
        {waiting.map(({ number, text, state }) => (
          <div
            key={`pending ${number}`}
            class="toast"
            onFocusIn={() => holdPending(number)}
            onFocusOut={() => releasePending(number)}
          >
            <Icon name="wait" />
            <p>
              {text}
              {state === 'offline' && ', as soon as you are online'}
            </p>
            {state !== 'sending' && (
              <button
                type="button"
                class="button small"
                aria-keyshortcuts="z Control+z"
                onClick={(event) => !isSecondClick(event) && undo(number)}
              >
                Undo
              </button>
            )}
          </div>
        ))}
        {notices.map((notice) => notice.failed === undefined && <OneNotice key={notice.number} {...notice} />)}
      </div>
    </div>
  )
}
