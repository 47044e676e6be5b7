import type { VNode } from 'preact'
import type { EventType, NewWebhook, Webhook, WebhookFormat } from '../../../client/src/index.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { Field } from '../../components/field.tsx'
import { useAction } from '../../state/action.ts'
import { useForm } from '../../state/form.ts'
import { webhookFaults } from '../../state/webhook-faults.ts'
import { eventTexts, formatTexts } from '../../state/webhooks.ts'

interface WebhookFormProps {
  /** What the form starts with. */
  webhook?: Webhook
  submitText: string
  busyText: string
  save: (webhook: NewWebhook) => Promise<void>
  onClose: () => void
}

interface WebhookValues {
  url: string
  description: string
  types: readonly EventType[]
  format: WebhookFormat
}

const allTypes = Object.keys(eventTexts) as EventType[]
const allFormats = Object.keys(formatTexts) as WebhookFormat[]

/** The members of a webhook that people choose. */
export function WebhookForm({ webhook, submitText, busyText, save, onClose }: WebhookFormProps): VNode {
  const form = useForm<WebhookValues>(`webhook-${webhook?.id ?? 'new'}`, {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    types: webhook?.types ?? [],
    format: webhook?.format ?? 'json',
  })
  const { url, description, types, format } = form.values
  const saving = useAction(async () => {
    await save({
      url: url.trim(),
      description: description.trim() === '' ? undefined : description,
      types: types.length === 0 ? undefined : allTypes.filter((type) => types.includes(type)),
      format,
    })
    form.drop()
  })
  const faults = webhookFaults(saving.error, { url, description })
  const isAtField = faults.address !== undefined || faults.description !== undefined

  function type(change: Partial<WebhookValues>): void {
    form.set(change)
    saving.clearError()
  }
  function toggle(type: EventType): void {
    form.set({ types: types.includes(type) ? types.filter((other) => other !== type) : [...types, type] })
  }
  return (
    <ActionForm
      form={form}
      firstField="webhook-url"
      action={saving}
      isErrorAtField={isAtField}
      submitText={submitText}
      busyText={busyText}
      onClose={onClose}
    >
      <Field
        id="webhook-url"
        label="Address"
        hint="Where your program listens, such as https://shop.example.com/hook"
        fault={faults.address}
        control={(tied) => (
          <input
            {...tied}
            type="url"
            dir="ltr"
            autocomplete="off"
            spellcheck={false}
            readonly={saving.isRunning}
            value={url}
            onInput={({ currentTarget }) => type({ url: currentTarget.value })}
          />
        )}
      />
      <Field
        id="webhook-description"
        label="What is it for?"
        hint="Optional."
        fault={faults.description}
        control={(tied) => (
          <input
            {...tied}
            dir="auto"
            autocomplete="off"
            readonly={saving.isRunning}
            value={description}
            onInput={({ currentTarget }) => type({ description: currentTarget.value })}
          />
        )}
      />
      <fieldset class="field" disabled={saving.isRunning} aria-describedby="webhook-types-note">
        <legend>Events</legend>
        {allTypes.map((type) => (
          <label key={type} class="check">
            <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
            <span>{eventTexts[type]}</span>
          </label>
        ))}
        <p class="note" id="webhook-types-note">
          All of them, if you choose none.
        </p>
      </fieldset>
      <Field
        id="webhook-format"
        label="Format"
        hint="What your program expects. The events are the same."
        fault={undefined}
        control={(tied) => (
          <select
            {...tied}
            disabled={saving.isRunning}
            value={format}
            onChange={({ currentTarget }) => form.set({ format: currentTarget.value as WebhookFormat })}
          >
            {allFormats.map((name) => (
              <option key={name} value={name}>
                {formatTexts[name]}
              </option>
            ))}
          </select>
        )}
      />
    </ActionForm>
  )
}
