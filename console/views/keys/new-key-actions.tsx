import type { VNode } from 'preact'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'

interface NewKeyActionsProps {
  error: unknown
  isRunning: boolean
  cancelText: string
  submitText: string
  busyText: string
  onClose: () => void
}

/** The end of a form that makes or renames a key. */
export function NewKeyActions(props: NewKeyActionsProps): VNode {
  const { error, isRunning, cancelText, submitText, busyText, onClose } = props
  return (
    <>
      <ErrorNotice error={error} isTyped />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {cancelText}
        </button>
        <Button className="button primary" isDisabled={isRunning}>
          {isRunning ? busyText : submitText}
        </Button>
      </div>
    </>
  )
}
