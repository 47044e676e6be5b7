import { render } from 'preact'
import { keepFocus } from '../components/keep-focus.ts'
import { carryTextInElements, removeTexts } from '../components/text-elements.ts'
import { startInvitation } from '../state/accept-invitation.ts'
import { startPending } from '../state/pending.ts'
import { startRoute } from '../state/route.ts'
import { startSession } from '../state/session.ts'
import { App, type SandboxParts } from './app.tsx'

/** Shows the console. `keyOfCode` makes a key of the code of a sign-in link. */
export async function startConsole(
  sandbox?: SandboxParts,
  keyOfCode?: (code: string) => Promise<string>,
): Promise<void> {
  carryTextInElements()
  // Before the first render: if nobody is signed in, the form that is already in the page stays.
  startInvitation()
  startRoute()
  startPending()
  const starting = startSession(keyOfCode)
  const page = document.documentElement
  const root = document.getElementById('console')
  if (root !== null) {
    if (page.dataset['session'] === 'starting') root.replaceChildren()
    removeTexts(root)
    keepFocus(root)
    render(<App sandbox={sandbox} />, root)
  }
  await starting
  delete page.dataset['session']
}
