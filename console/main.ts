import { html, render } from './preact.js'
import { startSession } from './state/session.ts'
import { App } from './views/app.ts'

// Before the first drawing: when nobody is signed in, that is known at once, and the form that is there already stays.
const starting = startSession()
const page = document.documentElement
const root = document.getElementById('console')
if (root !== null) {
  if (page.dataset['session'] === 'starting') root.replaceChildren()
  render(html`<${App} />`, root)
}
await starting
delete page.dataset['session']
