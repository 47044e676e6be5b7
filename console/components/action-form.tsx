import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Action } from '../state/action.ts'
import { readDraft } from '../state/drafts.ts'
import type { Form } from '../state/form.ts'
import { Button } from './button.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { UnsavedDraft } from './unsaved-draft.tsx'

interface ActionFormProps {
  /** Its values, which are kept if they cannot be sent. */
  form: Form<object>
  /** The id or the name of the field that gets the focus at first. */
  firstField: string
  /** What the form does when it is submitted. It cannot be cancelled then. */
  action: Action<void>
  /** Whether a field shows the error of the action. It gets the focus: it may be out of sight. */
  isErrorAtField?: boolean
  submitText: string
  busyText: string
  onClose: () => void
  /** The fields. */
  children: ComponentChildren
}

/** A form of a dialog, with its error and its two buttons. */
export function ActionForm(props: ActionFormProps): VNode {
  const { action, isErrorAtField = false, submitText, busyText, onClose, children } = props
  const { isRunning, error } = action
  const form = useRef<HTMLFormElement>(null)
  useFirstField(form, props.firstField, props.form.draftName)
  useEffect(() => {
    if (isErrorAtField) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  function onSubmit(event: Event): void {
    event.preventDefault()
    void action.run()
  }
  return (
    <form ref={form} class="order-form" onSubmit={onSubmit} noValidate>
      <UnsavedDraft name={props.form.draftName} />
      {children}
      <ErrorNotice error={isErrorAtField ? undefined : error} isTyped />
      <div class="actions">
        <Button isDisabled={isRunning} onClick={onClose}>
          Cancel
        </Button>
        <Button className="button primary" isDisabled={isRunning}>
          {isRunning ? busyText : submitText}
        </Button>
      </div>
    </form>
  )
}

/** Gives a field the focus that the dialog gives to the first button: what was typed before may be offered above it. */
export function useFirstField(form: RefObject<HTMLFormElement | null>, idOrName: string, draftName: string): void {
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>(`[id="${idOrName}"], [name="${idOrName}"]:checked`)
    field?.focus()
    // What is typed now takes the place of a text from before, instead of following it.
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    if (isText && readDraft(draftName) !== undefined) field.select()
  }, [])
}
