import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Action } from '../state/action.ts'
import { Button } from './button.tsx'
import { ErrorNotice } from './error-notice.tsx'

interface ActionFormProps {
  /** What the form does when it is submitted. It cannot be cancelled then. */
  action: Action<void>
  /** Whether a field shows the error of the action. It gets the focus: it may be out of sight. */
  isErrorAtField?: boolean
  cancelText?: string
  submitText: string
  busyText: string
  onClose: () => void
  /** The fields. */
  children: ComponentChildren
}

/** A form of a dialog, with its error and its two buttons. */
export function ActionForm(props: ActionFormProps): VNode {
  const { action, isErrorAtField = false, cancelText = 'Cancel', submitText, busyText, onClose, children } = props
  const { isRunning, error } = action
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isErrorAtField) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  function onSubmit(event: Event): void {
    event.preventDefault()
    void action.run()
  }
  return (
    <form ref={form} class="order-form" onSubmit={onSubmit} noValidate>
      {children}
      <ErrorNotice error={isErrorAtField ? undefined : error} isTyped />
      <div class="actions">
        <Button isDisabled={isRunning} onClick={onClose}>
          {cancelText}
        </Button>
        <Button className="button primary" isDisabled={isRunning}>
          {isRunning ? busyText : submitText}
        </Button>
      </div>
    </form>
  )
}
