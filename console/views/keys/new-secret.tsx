import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../../components/dialog.tsx'
import { SecretField } from '../../components/secret-field.tsx'

interface NewSecretProps {
  title?: string
  secret: string
  /** Whose it is, and what to do. */
  children: ComponentChildren
  onClose: () => void
}

/** Shows a new key, or another secret, once. Until it was copied, only its button closes the dialog, not a click beside it. */
export function NewSecret({ title = 'The new key', secret, children, onClose }: NewSecretProps): VNode {
  const [isCopied, setCopied] = useState(false)
  return (
    <Dialog label={title} className="confirm" onClose={() => isCopied && onClose()}>
      <h2>{title}</h2>
      <p>{children}</p>
      <SecretField secret={secret} onCopied={() => setCopied(true)} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
