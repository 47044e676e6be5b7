import { forgetCategories, loadCategories } from './categories.js'
import { forgetCounts } from './counts.js'
import { startFeed, stopFeed } from './feed.js'
import { forgetPetNames } from './pet-names.js'
import { html, useEffect, useRef, useState } from './preact.js'
import { currentRoute, go, goWith, useRoute } from './route.js'
import { useMay, useSession } from './session.js'
import { listenForShortcuts } from './shortcuts.js'
import { AnimalSheet } from './views/animal-sheet.js'
import { Animals } from './views/animals.js'
import { forgetLately } from './views/lately.js'
import { Orders } from './views/orders.js'
import { Settings } from './views/settings.js'
import { Shell } from './views/shell.js'
import { Shortcuts } from './views/shortcuts.js'
import { SignIn } from './views/sign-in.js'
import { Stock } from './views/stock.js'

const titles = { stock: 'Stock', animals: 'Animals', orders: 'Orders', settings: 'Settings' }

export function App() {
  const { state, key } = useSession()
  if (state === 'starting') return null
  return state === 'in' ? html`<${Desk} key=${key} />` : html`<${SignIn} />`
}

/** What is there once somebody has signed in. */
function Desk() {
  const { view: asked, query } = useRoute()
  const may = useMay()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const view = asked in titles && (asked !== 'orders' || may('listOrders')) ? asked : 'stock'

  useEffect(() => {
    if (may('listCategories')) void loadCategories()
    if (may('listEvents')) startFeed()
    return () => {
      stopFeed()
      forgetCounts()
      forgetCategories()
      forgetPetNames()
      forgetLately()
    }
  }, [])

  useEffect(() => {
    document.title = `${titles[view]} · Pet Store`
  }, [view])
  useFocusOnArrival(view)
  useEffect(() => listenForShortcuts((pressed) => act(pressed, may, setHelpOpen)), [])

  return html`<${Shell} view=${view} titles=${titles} openHelp=${() => setHelpOpen(true)}>
    ${view === 'stock' && html`<${Stock} />`}
    ${view === 'animals' && html`<${Animals} query=${query} />`}
    ${view === 'orders' && html`<${Orders} query=${query} />`}
    ${view === 'settings' && html`<${Settings} />`}
    ${
      query.animal !== undefined &&
      html`<${AnimalSheet} key=${query.animal} id=${query.animal} onClose=${() => goWith({ animal: undefined })} />`
    }
    ${isHelpOpen && html`<${Shortcuts} onClose=${() => setHelpOpen(false)} />`}
  <//>`
}

// Who goes to another view by the keyboard starts at its heading, not where the old view was.
function useFocusOnArrival(view) {
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current === view) return
    seen.current = view
    document.querySelector('main h1')?.focus()
  }, [view])
}

/** Now, or as soon as the view has been drawn. */
function focusOnJump(tries = 20) {
  const input = document.getElementById('jump')
  if (input !== null) input.focus()
  else if (tries > 0) requestAnimationFrame(() => focusOnJump(tries - 1))
}

/** Does what a shortcut stands for. Answers whether there was anything to do. */
function act(key, may, setHelpOpen) {
  switch (key) {
    case 's':
      return go('stock') ?? true
    case 'a':
      return go('animals') ?? true
    case 'o':
      return may('listOrders') && (go('orders') ?? true)
    case 'n':
      return may('createPet') && (goWith({ animal: 'new' }) ?? true)
    case '?':
      return setHelpOpen(true) ?? true
    case '/':
      if (currentRoute().view !== 'animals') go('animals')
      focusOnJump()
      return true
    default: {
      const link = document.querySelector(key === '[' ? 'a[rel=prev]' : 'a[rel=next]')
      link?.click()
      return link !== null
    }
  }
}
