import { App } from './app.js'
import { html, render } from './preact.js'
import { resume } from './session.js'

render(html`<${App} />`, document.getElementById('console'))
await resume()
