import type { ComponentChildren, ComponentType, VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useOpenedInvitation } from '../state/accept-invitation.ts'
import { loadCategories } from '../state/categories.ts'
import { startEventStream } from '../state/event-stream.ts'
import { undoNoticed } from '../state/notices.ts'
import { undoLatest } from '../state/pending.ts'
import { closeSheet, currentRoute, go, openAnimal, type Query, useRoute } from '../state/route.ts'
import { usePreferences } from '../state/preferences.ts'
import { type May, type SignedOut, useMay, useSession, useSignedIn } from '../state/session.ts'
import { listenForPalette, listenForShortcuts, type Shortcut } from '../state/shortcuts.ts'
import { useToday } from '../state/today.ts'
import { isOffered, type View, views } from '../state/views.ts'
import { AcceptInvitation } from './accept-invitation.tsx'
import { AnimalSheet } from './animals/animal-sheet.tsx'
import { OwnNewKey } from './keys/own-new-key.tsx'
import { OrderSheet } from './orders/order-sheet.tsx'
import { Palette } from './palette.tsx'
import { Shell } from './shell.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SignIn } from './sign-in.tsx'
import { viewComponents } from './view-components.tsx'

/** What the page of a sandbox has more. */
export interface SandboxParts {
  View: ComponentType<{ query: Query }>
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
function SignedIn({ Sandbox }: { Sandbox: ComponentType<{ query: Query }> | undefined }): VNode {
  const { view: asked, query } = useRoute()
  const { id, sandbox } = useSignedIn()
  const may = useMay()
  const { pageSize } = usePreferences()
  // Everything is rendered again at midnight: what was "today" is not any more.
  useToday()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const view = isOffered(asked, may) ? asked : 'stock'
  const Content = viewComponents[view] ?? Sandbox

  useEffect(() => {
    const stop = may('listEvents') ? startEventStream(`${sandbox ?? ''} ${id}`) : undefined
    if (may('listCategories')) void loadCategories()
    return stop
  }, [])
  useEffect(() => {
    document.title = `${views[view].title} · ${sandbox === undefined ? '' : `Sandbox ${sandbox} · `}Pet Store`
  }, [view])
  useFocusOnArrival(view)
  // Before the first view is painted: whoever sees it can use its keys.
  useLayoutEffect(() => listenForShortcuts((pressed) => act(pressed, may, () => setHelpOpen(true))), [])
  useLayoutEffect(() => listenForPalette(() => setPaletteOpen(true)), [])

  return (
    <Shell view={view} openHelp={() => setHelpOpen(true)} openPalette={() => setPaletteOpen(true)}>
      {Content !== undefined && <Content key={'isPaged' in views[view] ? pageSize : undefined} query={query} />}
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
function act(shortcut: Shortcut, may: May, openHelp: () => void): boolean {
  if ('view' in shortcut) {
    const isThere = isOffered(shortcut.view, may)
    if (isThere) go(shortcut.view)
    return isThere
  }
  const { key } = shortcut
  switch (key) {
    case 'n':
      if (may('createPet')) openAnimal('new')
      return may('createPet')
    case 'z':
      return undoLatest() || undoNoticed()
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
