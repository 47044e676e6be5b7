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

/** The end of a form that makes or renames a key. What was sent cannot be cancelled, and its result is shown once. */
export function NewKeyActions(props: NewKeyActionsProps): VNode {
  const { error, isRunning, cancelText, submitText, busyText, onClose } = props
  return (
    <>
      <ErrorNotice error={error} isTyped />
      <div class="actions">
        <Button isDisabled={isRunning} onClick={onClose}>
          {cancelText}
        </Button>
        <Button className="button primary" isDisabled={isRunning}>
          {isRunning ? busyText : submitText}
        </Button>
      </div>
    </>
  )
}
