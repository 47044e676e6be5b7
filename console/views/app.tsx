import type { ComponentChildren, ComponentType, VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useOpenedInvitation } from '../state/accept-invitation.ts'
import { loadCategories } from '../state/categories.ts'
import { startEventStream } from '../state/event-stream.ts'
import { undoLatest } from '../state/pending.ts'
import { closeSheet, currentRoute, go, openAnimal, useRoute, type View } from '../state/route.ts'
import { usePreferences } from '../state/preferences.ts'
import { type May, type SignedOut, useMay, useSession, useSignedIn } from '../state/session.ts'
import { listenForPalette, listenForShortcuts, type ShortcutKey } from '../state/shortcuts.ts'
import { AcceptInvitation } from './accept-invitation.tsx'
import { ActivityView } from './activity/activity-view.tsx'
import { AnimalSheet } from './animals/animal-sheet.tsx'
import { Animals } from './animals/animals.tsx'
import { CategoryStockView } from './categories/category-stock.tsx'
import { Keys } from './keys/keys.tsx'
import { OwnNewKey } from './keys/own-new-key.tsx'
import { OrderSheet } from './orders/order-sheet.tsx'
import { Orders } from './orders/orders.tsx'
import { Palette } from './palette.tsx'
import { Settings } from './settings.tsx'
import { isOffered, Shell, viewTitles } from './shell.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SignIn } from './sign-in.tsx'
import { StockView } from './stock.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'

/** What the page of a sandbox has more. */
export interface SandboxParts {
  View: ComponentType
  /** Instead of the form for a key. */
  SignIn: ComponentType<{ session: SignedOut }>
}

export function App({ sandbox }: { sandbox: SandboxParts | undefined }): ComponentChildren {
  const session = useSession()
  const Form = sandbox?.SignIn ?? SignIn
  const invitation = useOpenedInvitation()
  if (invitation !== undefined) return <AcceptInvitation invitation={invitation} />
  if (session.state === 'starting') return null
  return session.state === 'in' ? <SignedIn key={session.number} Sandbox={sandbox?.View} /> : <Form session={session} />
}

/** The page after the sign-in. */
function SignedIn({ Sandbox }: { Sandbox: ComponentType | undefined }): VNode {
  const { view: asked, query } = useRoute()
  const { id, sandbox } = useSignedIn()
  const may = useMay()
  const { pageSize } = usePreferences()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const view = isOffered(asked, may) ? asked : 'stock'

  useEffect(() => {
    const stop = may('listEvents') ? startEventStream(`${sandbox ?? ''} ${id}`) : undefined
    if (may('listCategories')) void loadCategories()
    return stop
  }, [])
  useEffect(() => {
    document.title = `${viewTitles[view]} · ${sandbox === undefined ? '' : `Sandbox ${sandbox} · `}Pet Store`
  }, [view])
  useFocusOnArrival(view)
  // Before the first view is painted: whoever sees it can use its keys.
  useLayoutEffect(() => listenForShortcuts((pressed) => act(pressed, may, () => setHelpOpen(true))), [])
  useLayoutEffect(() => listenForPalette(() => setPaletteOpen(true)), [])

  return (
    <Shell view={view} openHelp={() => setHelpOpen(true)} openPalette={() => setPaletteOpen(true)}>
      {view === 'stock' && <StockView />}
      {view === 'categories' && <CategoryStockView key={pageSize} query={query} />}
      {view === 'animals' && <Animals key={pageSize} query={query} />}
      {view === 'orders' && <Orders key={pageSize} query={query} />}
      {view === 'activity' && <ActivityView key={pageSize} query={query} />}
      {view === 'keys' && <Keys query={query} />}
      {view === 'webhooks' && <Webhooks query={query} />}
      {view === 'settings' && <Settings />}
      {view === 'sandbox' && Sandbox !== undefined && <Sandbox />}
      {query['animal'] !== undefined && <AnimalSheet key={query['animal']} id={query['animal']} onClose={closeSheet} />}
      {query['order'] !== undefined && <OrderSheet key={query['order']} id={query['order']} onClose={closeSheet} />}
      <OwnNewKey />
      {isPaletteOpen && <Palette openHelp={() => setHelpOpen(true)} onClose={() => setPaletteOpen(false)} />}
      {isHelpOpen && <Shortcuts onClose={() => setHelpOpen(false)} />}
    </Shell>
  )
}

/** What gets the focus in the next view. */
let focusOnArrival = 'main h1'

/** Moves the focus into a new view, before the next key is pressed. */
function useFocusOnArrival(view: View): void {
  const seen = useRef(view)
  useLayoutEffect(() => {
    if (seen.current === view) return
    seen.current = view
    document.querySelector<HTMLElement>(focusOnArrival)?.focus()
    focusOnArrival = 'main h1'
  }, [view])
}

/** Runs a shortcut. Returns whether it did anything. */
function act(key: ShortcutKey, may: May, openHelp: () => void): boolean {
  switch (key) {
    case 's':
      go('stock')
      return true
    case 'a':
      go('animals')
      return true
    case 'o':
      if (may('listOrders')) go('orders')
      return may('listOrders')
    case 'n':
      if (may('createPet')) openAnimal('new')
      return may('createPet')
    case 'z':
      return undoLatest()
    case '?':
      openHelp()
      return true
    case '/':
      if (currentRoute().view === 'animals') document.getElementById('find')?.focus()
      else {
        focusOnArrival = '#find'
        go('animals')
      }
      return true
    default: {
      const link = document.querySelector<HTMLElement>(key === '[' ? 'a[rel=prev]' : 'a[rel=next]')
      link?.click()
      return link !== null
    }
  }
}
