import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'

interface SecretFieldProps {
  secret: string
  /** Called after the user pressed the button to copy it. */
  onCopied?: () => void
}

/** A secret that is shown once, with a button to copy it. */
export function SecretField({ secret, onCopied }: SecretFieldProps): VNode {
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
    onCopied?.()
  }
  return (
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
  )
}
