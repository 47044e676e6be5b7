import type { ComponentChildren, VNode } from 'preact'
import { Brand, Icon } from '../components/icons.tsx'
import { Notices } from '../components/notices.tsx'
import { useTopDialog } from '../state/dialogs.ts'
import { type FeedState, useFeedState } from '../state/feed.ts'
import { useOnline } from '../state/online.ts'
import { hrefOf, type View, views } from '../state/route.ts'
import { type May, useMay, useSignedIn } from '../state/session.ts'

export const viewTitles: Record<View, string> = {
  stock: 'Stock',
  categories: 'Stock by category',
  animals: 'Animals',
  orders: 'Orders',
  activity: 'Activity',
  keys: 'Keys',
  webhooks: 'Webhooks',
  settings: 'Settings',
  sandbox: 'Sandbox',
}

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
  // Other views lead to these: they are seldom needed, and a phone has no room for them.
  const ways = offeredViews(may).filter((one) => one !== 'webhooks' && one !== 'categories')
  const current = view === 'webhooks' ? 'settings' : view === 'categories' ? 'stock' : view
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <Brand />
        {environment === 'staging' && sandbox === undefined && <p class="badge">Staging</p>}
        <nav class="ways" aria-label="Views">
          {ways.map((one) => (
            <a key={one} class={one} href={hrefOf(one)} aria-current={one === current ? 'page' : undefined}>
              <Icon name={one} />
              <span>{viewTitles[one]}</span>
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

export function offeredViews(may: May): readonly View[] {
  return views.filter((one) => isOffered(one, may))
}

/** Whether a view has anything for this key. */
export function isOffered(view: View, may: May): boolean {
  const needed = {
    categories: 'getInventory',
    orders: 'listOrders',
    activity: 'listEvents',
    keys: 'listKeys',
    webhooks: 'listWebhooks',
    sandbox: 'resetShop',
  }[view as string]
  return needed === undefined || may(needed)
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
  const feedState = useFeedState()
  const isOnline = useOnline()
  const state = isOnline || feedState === 'off' ? feedState : 'waiting'
  return (
    <p class="pulse" data-state={state} role="status">
      {pulseText[state]}
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
