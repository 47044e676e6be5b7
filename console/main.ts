import { html, render } from './preact.js'
import { startSession } from './state/session.ts'
import { App } from './views/app.ts'

const root = document.getElementById('console')
if (root !== null) render(html`<${App} />`, root)
await startSession()
