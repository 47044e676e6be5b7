import type { ComponentChildren, VNode } from 'preact'
import { Brand, Icon } from '../components/icons.tsx'
import { Notices } from '../components/notices.tsx'
import { useTopDialog } from '../state/dialogs.ts'
import { type FeedState, useFeedState } from '../state/feed.ts'
import { useOnline } from '../state/online.ts'
import { hrefOf } from '../state/route.ts'
import { useMay, useSignedIn } from '../state/session.ts'
import { isOffered, type View, viewNames, views } from '../state/views.ts'

interface ShellProps {
  view: View
  openHelp: () => void
  openPalette: () => void
  children: ComponentChildren
}

/** The frame of every view: the name, the navigation, the connection state, and notices. */
export function Shell({ view, openHelp, openPalette, children }: ShellProps): VNode {
  const may = useMay()
  const { environment, sandbox } = useSignedIn()
  const shown = views[view]
  const current = 'under' in shown ? shown.under : view
  const ways = viewNames.flatMap((name) => {
    const described = views[name]
    return 'icon' in described && isOffered(name, may) ? [{ name, ...described }] : []
  })
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <Brand />
        {environment === 'staging' && sandbox === undefined && <p class="badge">Staging</p>}
        <nav class="ways" aria-label="Views">
          {ways.map(({ name, icon, title }) => (
            <a key={name} class={name} href={hrefOf(name)} aria-current={name === current ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{title}</span>
            </a>
          ))}
        </nav>
        <Pulse />
        <button type="button" class="icon-button" onClick={openPalette} aria-label="Find or do something">
          <Icon name="search" />
        </button>
        <button type="button" class="icon-button help" onClick={openHelp} aria-label="Keyboard shortcuts">
          ?
        </button>
      </header>
      {sandbox !== undefined && (
        <aside class="sandbox-mark" aria-label="Sandbox">
          Sandbox: <bdi>{sandbox}</bdi>, nothing is kept
        </aside>
      )}
      <OfflineBanner />
      <main id="main">{children}</main>
      <Notices isShown={useTopDialog() === undefined} />
    </div>
  )
}

// Not a link to an anchor: the fragment holds the view.
function skip(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main h1')?.focus()
}

const pulseText: Record<FeedState, string> = {
  off: '',
  live: 'Live',
  connecting: 'Connecting',
  waiting: 'Reconnecting',
}

/** Shows whether the page is live. */
function Pulse(): VNode {
  const state = useFeedState()
  const isLost = !useOnline() && state === 'live'
  return (
    <p class="pulse" data-state={isLost ? 'waiting' : state} role="status">
      {isLost ? 'Offline' : pulseText[state]}
    </p>
  )
}

function OfflineBanner(): VNode {
  const isOnline = useOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p class="banner">
          <Icon name="offline" />
          You are offline. Nothing is lost: the page catches up by itself once you are back.
        </p>
      )}
    </div>
  )
}
