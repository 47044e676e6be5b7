import type { VNode } from 'preact'
import { CloseButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { commandKey, enableShortcuts, shortcuts, useShortcutsEnabled } from '../state/shortcuts.ts'

/** The list of shortcuts, and the switch to turn them off. */
export function Shortcuts({ onClose }: { onClose: () => void }): VNode {
  return (
    <Dialog label="Keyboard shortcuts" className="confirm" onClose={onClose}>
      <div class="dialog-head">
        <h2>Keyboard shortcuts</h2>
        <CloseButton onClose={onClose} />
      </div>
      <dl class="keys">
        <div>
          <dt>
            <kbd>{commandKey} K</kbd>
          </dt>
          <dd>Find anything, or do something</dd>
        </div>
        {shortcuts.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>{commandKey} Enter</kbd>
          </dt>
          <dd>Save what is typed; in a new animal: add it, then another</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close what is open</dd>
        </div>
      </dl>
      <ShortcutSwitch label="Single keys do something" />
    </Dialog>
  )
}

export function ShortcutSwitch({ label }: { label: string }): VNode {
  const isEnabled = useShortcutsEnabled()
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }): void =>
    enableShortcuts(currentTarget.checked)
  return (
    <label class="check">
      <input type="checkbox" checked={isEnabled} onChange={onChange} /> {label}
    </label>
  )
}
