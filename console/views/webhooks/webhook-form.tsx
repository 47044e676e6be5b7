import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { EventType, NewWebhook, Webhook } from '../../../client/src/index.ts'
import { faultsByField } from '../../api/error-text.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { Field } from '../../components/field.tsx'
import { useAction } from '../../state/action.ts'
import { eventTexts } from '../../state/webhooks.ts'

interface WebhookFormProps {
  /** What the form starts with. */
  webhook?: Webhook
  submitText: string
  busyText: string
  save: (webhook: NewWebhook) => Promise<void>
  onClose: () => void
}

const allTypes = Object.keys(eventTexts) as EventType[]

/** The members of a webhook that people choose. */
export function WebhookForm({ webhook, submitText, busyText, save, onClose }: WebhookFormProps): VNode {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [types, setTypes] = useState<readonly EventType[]>(webhook?.types ?? [])
  const saving = useAction(() =>
    save({
      url: url.trim(),
      description: description.trim() === '' ? undefined : description,
      types: types.length === 0 ? undefined : allTypes.filter((type) => types.includes(type)),
    }),
  )
  const faults = faultsByField(saving.error, ['url', 'description'])
  const isAtField = faults.url !== undefined || faults.description !== undefined

  function toggle(type: EventType): void {
    setTypes(types.includes(type) ? types.filter((other) => other !== type) : [...types, type])
  }
  return (
    <ActionForm
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
        fault={faults.url}
        control={(tied) => (
          <input
            {...tied}
            type="url"
            dir="ltr"
            autocomplete="off"
            spellcheck={false}
            readonly={saving.isRunning}
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
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
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
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
    </ActionForm>
  )
}
