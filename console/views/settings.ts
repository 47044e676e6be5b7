import type { Permission } from '../api/page-requests.ts'
import { html, type VNode } from '../preact.js'
import { dropDrafts } from '../state/drafts.ts'
import { signOut, useMay, useSignedIn } from '../state/session.ts'
import { CategoryNames } from './category-names.ts'
import { ShortcutSwitch } from './shortcuts.ts'

const permissionTexts: Record<Permission, string> = {
  read: 'look at everything',
  write: 'look at everything and change it',
}

export function Settings(): VNode {
  const { name, permission, environment } = useSignedIn()
  const may = useMay()
  function leave(): void {
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
          <div><dt>May</dt><dd>${permissionTexts[permission]}</dd></div>
          <div><dt>Shop</dt><dd>${environment}</dd></div>
        </dl>
        <button type="button" class="button" onClick=${leave}>Sign out</button>
        <p class="note">The key is kept in this tab alone, and gone when you close it.</p>
      </section>
      <section class="card" aria-labelledby="this-page">
        <h2 id="this-page">This page</h2>
        <${ShortcutSwitch} label="Single keys are shortcuts" />
        <p class="note">Press <kbd>?</kbd> to see them. Light or dark follows your system.</p>
        <p><a href="docs">API reference</a></p>
      </section>
      ${may('listCategories') && html`<${CategoryNames} mayName=${may('putCategory')} />`}
    </div>
  </div>`
}
