import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { faultsByField } from '../../api/error-text.ts'
import { useFirstField } from '../../components/action-form.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useAction } from '../../state/action.ts'
import { dropDraft, setDraft, readDraft, useDraft } from '../../state/drafts.ts'
import type { OrderTexts } from '../../state/orders.ts'
import { useSignedIn } from '../../state/session.ts'
import { UnsavedDraft } from '../../components/unsaved-draft.tsx'
import { CustomerBox } from './customer-box.tsx'

interface OrderFormProps {
  title: string
  /** What will happen, or what happened meanwhile. */
  children: ComponentChildren
  /** The name of the form's draft. */
  draftName: string
  /** The values of untouched fields. */
  texts: OrderTexts
  submitText: string
  busyText: string
  /** Sends the texts; may fail. Resolves to whether they were sent. */
  onSubmit: (texts: OrderTexts) => Promise<boolean>
  onClose: () => void
}

type Typed = Partial<Record<'customer' | 'note', string>>

/** A dialog with the customer and the note of an order, both optional. Closing it keeps the typed text. */
export function OrderForm(props: OrderFormProps): VNode {
  const { title, children, draftName, texts, submitText, busyText, onSubmit, onClose } = props
  const { rules } = useSignedIn()
  const typed: Typed = useDraft(draftName) ?? {}
  const [isChecked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useFirstField(form, 'order-customer', draftName)
  const customer = typed.customer ?? texts.customer ?? ''
  const note = typed.note ?? texts.note ?? ''
  const wrong = {
    customer: customer === '' ? undefined : rules.customer(customer),
    note: note === '' ? undefined : rules.note(note),
  }

  const submitting = useAction(async () => {
    setChecked(true)
    const first = wrong.customer !== undefined ? 'customer' : wrong.note !== undefined ? 'note' : undefined
    if (first !== undefined) return document.getElementById(`order-${first}`)?.focus()
    const sent = readDraft(draftName)
    if (!(await onSubmit({ customer: customer || undefined, note: note || undefined }))) return
    dropDraft(draftName, sent)
    if (form.current?.isConnected === true) onClose()
  })
  const faults = faultsByField(submitting.error, ['customer', 'note'])
  const faultOf = (field: keyof Typed): string | undefined =>
    faults[field] ?? (isChecked || typed[field] !== undefined ? wrong[field] : undefined)

  function submit(event: Event): void {
    event.preventDefault()
    void submitting.run()
  }
  // Read-only while it is sent: later text would not be part of the order.
  const isReadOnly = submitting.isRunning
  function type(field: keyof Typed, text: string): void {
    setDraft(draftName, { ...readDraft(draftName), [field]: text })
    submitting.clearError()
  }

  return (
    <Dialog label={title} className="confirm" onClose={onClose}>
      <h2>{title}</h2>
      {children}
      <form ref={form} class="order-form" onSubmit={submit} noValidate>
        <UnsavedDraft name={draftName} onDiscard={() => setChecked(false)} />
        <Field
          id="order-customer"
          label="Customer"
          hint="Optional. Who it is for."
          fault={faultOf('customer')}
          control={(tied) => (
            <CustomerBox
              tied={tied}
              text={customer}
              isReadOnly={isReadOnly}
              onText={(text) => type('customer', text)}
            />
          )}
        />
        <Field
          id="order-note"
          label="Note"
          hint="Optional."
          fault={faultOf('note')}
          control={(tied) => (
            <textarea
              {...tied}
              dir="auto"
              autocomplete="off"
              readonly={isReadOnly}
              value={note}
              onInput={({ currentTarget }) => type('note', currentTarget.value)}
              rows={2}
            />
          )}
        />
        {faults.form !== undefined && (
          <p class="note fault" role="alert">
            {faults.form}
          </p>
        )}
        {submitting.error !== undefined && Object.keys(faults).length === 0 && (
          <ErrorNotice error={submitting.error} isTyped />
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <Button className="button primary" isDisabled={submitting.isRunning}>
            {submitting.isRunning ? busyText : submitText}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
