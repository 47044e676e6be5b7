import { CloseButton, Dialog } from '../parts/dialog.js'
import { html } from '../preact.js'
import { enableShortcuts, shortcuts, useShortcutsEnabled } from '../shortcuts.js'

/** The list of keys, and the way to turn them off. */
export function Shortcuts({ onClose }) {
  const isEnabled = useShortcutsEnabled()
  return html`<${Dialog} label="Keyboard shortcuts" className="confirm" onClose=${onClose}>
    <div class="dialog-head"><h2>Keyboard shortcuts</h2><${CloseButton} onClose=${onClose} /></div>
    <dl class="keys">
      ${shortcuts.map(({ key, does }) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}
      <div><dt><kbd>Esc</kbd></dt><dd>Close what is open</dd></div>
    </dl>
    <label class="check">
      <input type="checkbox" checked=${isEnabled} onChange=${({ target }) => enableShortcuts(target.checked)} />
      Single keys do something
    </label>
  <//>`
}
