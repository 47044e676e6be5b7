import type { VNode } from 'preact'
import { dismiss, type NoticeLink, useNotices } from '../state/notices.ts'
import { CloseButton } from './close-button.tsx'
import { Icon } from './icons.tsx'

function NoticeAction({ link, close }: { link: NoticeLink; close: () => void }): VNode {
  if ('href' in link)
    return (
      <a href={link.href} onClick={close}>
        {link.text}
      </a>
    )
  function act(): void {
    close()
    if ('act' in link) void link.act()
  }
  return (
    <button type="button" class="button small" onClick={act}>
      {link.text}
    </button>
  )
}

/** What was just done. Over a dialog it is that dialog's: what is behind it can be neither read nor clicked. */
export function Notices({ isShown }: { isShown: boolean }): VNode {
  const all = useNotices()
  const notices = isShown ? all : []
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ number, text, link }) => (
        <div key={number} class="toast">
          <Icon name="check" />
          <p>{text}</p>
          {link !== undefined && <NoticeAction link={link} close={() => dismiss(number)} />}
          <CloseButton onClose={() => dismiss(number)} />
        </div>
      ))}
    </div>
  )
}
