import { dismiss, useNotices } from '../announce.js'
import { useOnline } from '../connection.js'
import { useFeedState } from '../feed.js'
import { Icon, Paw } from '../parts/icons.js'
import { CloseButton } from '../parts/dialog.js'
import { html } from '../preact.js'
import { hrefOf } from '../route.js'
import { useMay, useSession } from '../session.js'

/** What every view has around it: the name, the ways, the state of things, and what was just done. */
export function Shell({ view, titles, openHelp, children }) {
  const may = useMay()
  const { environment } = useSession()
  const ways = ['stock', 'animals', ...(may('listOrders') ? ['orders'] : []), 'settings']
  return html`<div class="shell">
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header class="top">
      <p class="brand"><${Paw} /><span>Pet Store</span></p>
      ${environment === 'staging' && html`<p class="badge">Staging</p>`}
      <nav class="ways" aria-label="Views">
        ${ways.map(
          (way) =>
            html`<a key=${way} href=${hrefOf(way)} aria-current=${way === view ? 'page' : undefined}>
              <${Icon} name=${way} /><span>${titles[way]}</span>
            </a>`,
        )}
      </nav>
      <${Pulse} />
      <button type="button" class="icon-button help" onClick=${openHelp} aria-label="Keyboard shortcuts">?</button>
    </header>
    <${Offline} />
    <main id="main">${children}</main>
    <${Notices} />
  </div>`
}

// Not a jump to an address: behind the # is the view.
function skip(event) {
  event.preventDefault()
  document.querySelector('main h1')?.focus()
}

const pulseWords = { live: 'Live', connecting: 'Connecting', waiting: 'Reconnecting' }

/** Whether what is on the screen follows what happens in the shop. */
function Pulse() {
  const state = useFeedState()
  return html`<p class="pulse" data-state=${state} role="status">${pulseWords[state] ?? ''}</p>`
}

function Offline() {
  const isOnline = useOnline()
  return html`<div role="status">
    ${
      !isOnline &&
      html`<p class="banner">
        <${Icon} name="offline" />You are offline. Nothing is lost: the page catches up by itself once you are back.
      </p>`
    }
  </div>`
}

function Notices() {
  const notices = useNotices()
  return html`<div class="notices" role="status" aria-live="polite">
    ${notices.map(
      ({ number, text, link }) =>
        html`<div key=${number} class="toast">
          <${Icon} name="check" />
          <p dir="auto">${text}</p>
          ${link && html`<a href=${link.href} onClick=${() => dismiss(number)}>${link.words}</a>`}
          <${CloseButton} onClose=${() => dismiss(number)} />
        </div>`,
    )}
  </div>`
}
