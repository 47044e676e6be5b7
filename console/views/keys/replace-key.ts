import type { Key, RotatedKey } from '../../../client/src/index.ts'
import { Button } from '../../components/button.ts'
import { ChoiceButtons } from '../../components/choices.ts'
import { Dialog } from '../../components/dialog.ts'
import { ErrorNotice } from '../../components/error-notice.ts'
import { formatTime, shortName } from '../../components/format.ts'
import { html, useState, type VNode } from '../../preact.js'
import { useAction } from '../../state/action.ts'
import { rotateKey } from '../../state/keys.ts'
import { useSignedIn } from '../../state/session.ts'
import type { KeyDialogProps } from './make-key.ts'
import { NewSecret } from './new-secret.ts'

const graces = [
  { value: 1, text: 'An hour' },
  { value: 24, text: 'A day' },
  { value: 24 * 7, text: 'A week' },
] as const

/** Makes a successor; the old key works for a while, so that nobody is interrupted. */
export function ReplaceKey({ former, onClose, onDone }: KeyDialogProps & { former: Key }): VNode {
  const { id: ownId } = useSignedIn()
  const [hours, setHours] = useState<number>(24)
  const [made, setMade] = useState<RotatedKey>()
  const replacing = useAction(async () => {
    setMade(await rotateKey(former, hours))
    onDone()
  })
  const name = html`<bdi>${shortName(former.name)}</bdi>`
  if (made !== undefined) {
    return html`<${NewSecret} secret=${made.key} onClose=${onClose}>
      ${former.id === ownId ? 'Sign in with it.' : html`Give it to ${name}.`} The old key works until${' '}
      ${formatTime(made.replacedKeyExpiresAt)}.
    <//>`
  }
  return html`<${Dialog} label="Replace this key" className="confirm" onClose=${onClose}>
    <h2>Replace this key?</h2>
    <p>${name} gets a new key that may do the same.</p>
    <${ChoiceButtons}
      name="key-grace"
      label="The old key works for"
      choices=${graces}
      chosen=${hours}
      isDisabled=${replacing.isRunning}
      hint="Time to change it wherever it is used."
      onChoose=${setHours}
    />
    <${ErrorNotice} error=${replacing.error} />
    <div class="actions">
      <button type="button" class="button" onClick=${onClose}>Keep as it is</button>
      <${Button} className="button primary" isDisabled=${replacing.isRunning} onClick=${() => replacing.run()}>
        ${replacing.isRunning ? 'Replacing…' : 'Make a new key'}
      <//>
    </div>
  <//>`
}
