import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../state/action.ts'
import { addDialog, useTopDialog } from '../state/dialogs.ts'
import { Button } from './button.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { Notices } from './notices.tsx'

interface DialogProps {
  label: string
  className: string
  /** May do nothing, if something must not be lost: then the dialog stays. */
  onClose: () => void
  children: ComponentChildren
  /** Beside the page, which stays usable, instead of over it. */
  isPane?: boolean
}

/** A dialog while it is rendered, modal unless it is a pane. The browser restores the focus at the end. */
export function Dialog({ label, className, onClose, children, isPane = false }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [self] = useState(Symbol)
  const isTop = useTopDialog() === self
  useLayoutEffect(() => {
    const { current } = dialog
    if (isPane) {
      current?.show()
      return () => current?.close()
    }
    current?.showModal()
    const remove = addDialog(self)
    return () => {
      remove()
      current?.close()
    }
  }, [isPane])

  function onCancel(event: Event): void {
    // A file input sends this event too, if no file is chosen.
    if (event.target !== dialog.current) return
    event.preventDefault()
    onClose()
  }
  // Browsers close a dialog at the second Escape in a row, whatever its page says.
  function onClosed(): void {
    if (!isPane && dialog.current?.isConnected === true && !dialog.current.open) dialog.current.showModal()
  }
  // Browsers close only modal ones at Escape.
  function onKeyDown(event: KeyboardEvent): void {
    const isOwn = event.target instanceof Element && event.target.closest('dialog') === dialog.current
    if (isOwn) submitAtCommand(event)
    if (isPane && isOwn && event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) onClose()
  }
  // The backdrop belongs to the dialog itself; its content is in child elements.
  function onMouseDown(event: MouseEvent): void {
    // The second click of a double click was meant for the button that opened the dialog.
    if (event.target === dialog.current && event.detail === 1) onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={className}
      aria-label={label}
      onCancel={onCancel}
      onClose={onClosed}
      onKeyDown={onKeyDown}
      onMouseDown={isPane ? undefined : onMouseDown}
    >
      <div class="dialog-body">{children}</div>
      <Notices isShown={isTop} />
    </dialog>
  )
}

/** Ctrl or ⌘ with Enter sends a form from every field, also from a text with several lines. */
function submitAtCommand(event: KeyboardEvent): void {
  const isCommand = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing
  if (!isCommand || event.defaultPrevented || !(event.target instanceof Element)) return
  const button = event.target.closest('form')?.querySelector<HTMLElement>('button[type=submit]')
  if (button == null) return
  event.preventDefault()
  button.click()
}

interface ConfirmProps {
  title: string
  /** What will happen. */
  children: ComponentChildren
  action: string
  /** The button that does nothing. */
  cancelText?: string
  isDangerous?: boolean
  /** Whether it stays open until the action is over, because the result is shown once. */
  staysOpen?: boolean
  /** May fail: the reason is shown, and the user can retry. */
  act: () => Promise<void>
  onClose: () => void
  /** Why the question is obsolete. */
  obsolete?: string | undefined
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm(props: ConfirmProps): VNode {
  const { title, children, action, cancelText = 'Cancel', isDangerous = false, act, obsolete } = props
  const { run, isRunning, error } = useAction(act)
  const isHeld = isRunning && props.staysOpen === true
  const onClose = () => !isHeld && props.onClose()
  const isObsolete = obsolete !== undefined && !isRunning
  return (
    <Dialog label={title} className="confirm" onClose={onClose}>
      <h2>{title}</h2>
      {isObsolete ? <p role="alert">{obsolete}</p> : <p>{children}</p>}
      <ErrorNotice error={error} />
      <div class="actions">
        <Button isDisabled={isHeld} onClick={onClose}>
          {isObsolete ? 'Close' : cancelText}
        </Button>
        {!isObsolete && (
          <Button
            className={isDangerous ? 'button danger' : 'button primary'}
            isDisabled={isRunning}
            onClick={() => run()}
          >
            {action}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
