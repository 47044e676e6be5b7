import { dropDrafts } from '../drafts.js'
import { html } from '../preact.js'
import { signOut, useMay, useSession } from '../session.js'
import { enableShortcuts, useShortcutsEnabled } from '../shortcuts.js'
import { CategoryNames } from './category-names.js'

const permissions = { read: 'look at everything', write: 'look at everything and change it' }

export function Settings() {
  const { name, permission, environment } = useSession()
  const areShortcutsOn = useShortcutsEnabled()
  const may = useMay()
  function leave() {
    dropDrafts()
    signOut('left')
  }
  return html`<div class="view">
    <div class="view-head"><h1 tabindex="-1">Settings</h1></div>
    <div class="settings">
      <section class="card" aria-labelledby="your-key">
        <h2 id="your-key">Your key</h2>
        <dl class="details">
          <div><dt>Name</dt><dd><bdi>${name}</bdi></dd></div>
          <div><dt>May</dt><dd>${permissions[permission]}</dd></div>
          <div><dt>Shop</dt><dd>${environment}</dd></div>
        </dl>
        <button type="button" class="button" onClick=${leave}>Sign out</button>
        <p class="note">The key is kept in this tab alone, and gone when you close it.</p>
      </section>
      <section class="card" aria-labelledby="this-page">
        <h2 id="this-page">This page</h2>
        <label class="check">
          <input
            type="checkbox"
            checked=${areShortcutsOn}
            onChange=${({ target }) => enableShortcuts(target.checked)}
          />
          Single keys are shortcuts
        </label>
        <p class="note">Press <kbd>?</kbd> to see them. Light or dark follows your system.</p>
        <p><a href="/docs">API reference</a></p>
      </section>
      ${may('listCategories') && html`<${CategoryNames} mayName=${may('putCategory')} />`}
    </div>
  </div>`
}
