import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { NewWebhook, Webhook, WithEtag } from '../../../client/src/index.ts'
import { isId } from '../../api/int64.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { formatTime } from '../../components/format.ts'
import { Empty, Loading } from '../../components/loading.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { useAction } from '../../state/action.ts'
import { notify } from '../../state/notices.ts'
import { changeWebhook, formatTexts, useWebhook } from '../../state/webhooks.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { RemoveWebhook } from './remove-webhook.tsx'
import { RotateWebhook } from './rotate-webhook.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'
import { eventsText } from './webhook-table.tsx'

interface WebhookSheetProps {
  id: string
  /** As the list has it: only there it says whether it fails. */
  listed: Webhook | undefined
  onClose: () => void
  /** Called when the list has to be read again. */
  onChanged: () => void
}

/** A webhook on a sheet beside the list. */
export function WebhookSheet(props: WebhookSheetProps): VNode {
  const { id, onClose } = props
  if (isId(id)) return <OneWebhook {...props} />
  return (
    <Sheet title="Not here" label="Not here" onClose={onClose}>
      <Empty title={`No webhook has the number ${id}`} />
    </Sheet>
  )
}

function OneWebhook({ id, listed, onClose, onChanged }: WebhookSheetProps): VNode {
  const { result: webhook, error, reload } = useWebhook(id)
  async function changed(): Promise<void> {
    await reload()
    onChanged()
  }
  async function removed(): Promise<void> {
    await changed()
    onClose()
  }
  return (
    <Sheet title={`Webhook ${id}`} label={`Webhook ${id}`} onClose={onClose}>
      <ErrorNotice error={error} retry={reload} />
      {webhook === undefined && error === undefined && <Loading lines={4} label="Loading the webhook" />}
      {webhook === null && <Empty title={`No webhook has the number ${id}`} />}
      {webhook && (
        <>
          <dl class="details">
            <Detail term="Address">
              <span class="webhook-address" dir="ltr">
                {webhook.url}
              </span>
            </Detail>
            <Detail term="State">
              <WebhookState webhook={listed?.enabled === webhook.enabled ? listed : webhook} />
            </Detail>
            <Detail term="Events">{eventsText(webhook)}</Detail>
            <Detail term="Format">{formatTexts[webhook.format]}</Detail>
            {webhook.description !== undefined && (
              <Detail term="What for">
                <bdi>{webhook.description}</bdi>
              </Detail>
            )}
            <Detail term="Made">
              <time datetime={webhook.createdAt}>{formatTime(webhook.createdAt)}</time>
            </Detail>
          </dl>
          <WebhookActions webhook={webhook} onChanged={changed} />
          <DeliveryLog webhook={webhook} onRefresh={changed} />
          <RemoveWebhook webhook={webhook} onRemoved={removed} />
        </>
      )}
    </Sheet>
  )
}

function Detail({ term, children }: { term: string; children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface ActionsProps {
  webhook: WithEtag<Webhook>
  onChanged: () => Promise<void>
}

function WebhookActions({ webhook, onChanged }: ActionsProps): VNode {
  const [task, setTask] = useState<'change' | 'rotate'>()
  const { enabled } = webhook
  // Somebody else may have changed it, which was the reason to give up.
  function onClose(): void {
    setTask(undefined)
    void onChanged()
  }
  const turning = useAction(async () => {
    await changeWebhook(webhook, { enabled: !enabled }).finally(onChanged)
    notify(enabled ? 'The webhook is off' : 'The webhook is on: events from now on are sent')
  })
  async function save({ url, types, description, format }: NewWebhook): Promise<void> {
    await changeWebhook(webhook, { url, types: types ?? null, description: description ?? null, format })
    setTask(undefined)
    await onChanged()
    notify('The webhook is changed')
  }
  return (
    <>
      <ErrorNotice error={turning.error} />
      <div class="order-actions">
        <Button isDisabled={turning.isRunning} onClick={() => turning.run()}>
          {enabled ? 'Turn off' : 'Turn on'}
        </Button>
        <button type="button" class="button" onClick={() => setTask('change')}>
          Change
        </button>
        <button type="button" class="button" onClick={() => setTask('rotate')}>
          New secret
        </button>
      </div>
      {task === 'change' && (
        <Dialog label="Change the webhook" className="confirm" onClose={onClose}>
          <h2>Change the webhook</h2>
          <WebhookForm webhook={webhook} submitText="Save" busyText="Saving…" save={save} onClose={onClose} />
        </Dialog>
      )}
      {task === 'rotate' && <RotateWebhook webhook={webhook} onClose={onClose} />}
    </>
  )
}
