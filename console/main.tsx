import { render } from 'preact'
import { startRoute } from './state/route.ts'
import { startSession } from './state/session.ts'
import { App } from './views/app.tsx'

// Before the first render: if nobody is signed in, the form that is already in the page stays.
startRoute()
const starting = startSession()
const page = document.documentElement
const root = document.getElementById('console')
if (root !== null) {
  if (page.dataset['session'] === 'starting') root.replaceChildren()
  render(<App />, root)
}
await starting
delete page.dataset['session']
