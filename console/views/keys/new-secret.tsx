import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Dialog } from '../../components/dialog.tsx'

interface NewSecretProps {
  title?: string
  secret: string
  /** Whose it is, and what to do. */
  children: ComponentChildren
  onClose: () => void
}

/** Shows a new key, or another secret, once. Until it was copied, only its button closes the dialog, not a click beside it. */
export function NewSecret({ title = 'The new key', secret, children, onClose }: NewSecretProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  const [copyResult, setCopyResult] = useState('')

  async function copy(): Promise<void> {
    input.current?.select()
    try {
      // Missing on a page that came over plain HTTP from another machine.
      await navigator.clipboard.writeText(secret)
      setCopyResult('Copied.')
    } catch {
      setCopyResult('Copy the marked text.')
    }
  }
  return (
    <Dialog label={title} className="confirm" onClose={() => copyResult !== '' && onClose()}>
      <h2>{title}</h2>
      <p>{children}</p>
      <div class="field">
        <label for="new-secret">Shown only now</label>
        <div class="secret">
          <input
            id="new-secret"
            ref={input}
            readonly
            value={secret}
            aria-describedby="new-secret-note"
            onFocus={() => input.current?.select()}
          />
          <button type="button" class="button primary" onClick={copy}>
            Copy
          </button>
        </div>
        <p id="new-secret-note" class="note" role="status">
          {copyResult}
        </p>
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
