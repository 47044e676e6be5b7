import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Delivery, Webhook } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { formatCount, formatTime } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { Loading } from '../../components/loading.tsx'
import { useAction } from '../../state/action.ts'
import { isTaken, messageText, outcomeText, sendAgain, sendTest, useDeliveries } from '../../state/deliveries.ts'
import { dismissFailure, notify, notifyFailure } from '../../state/notices.ts'

const firstShown = 10

interface DeliveryLogProps {
  webhook: Webhook
  /** Called when the log is read again: the webhook may be well now, or not. */
  onRefresh: () => Promise<void>
}

/** What was sent to a webhook and what came of it, the newest first. */
export function DeliveryLog({ webhook, onRefresh }: DeliveryLogProps): VNode {
  const [count, setCount] = useState(firstShown)
  const [isFailuresOnly, setFailuresOnly] = useState(false)
  const { result, error, isLoading, isStale, reload } = useDeliveries(webhook.id, count)
  const sending = useAction(async (send: () => Promise<Delivery>) => {
    const subject = `webhook ${webhook.id}`
    dismissFailure(subject)
    try {
      const delivery = await send()
      if (isTaken(delivery)) notify(outcomeText(delivery))
      else notifyFailure(subject, outcomeText(delivery))
    } finally {
      await refresh()
    }
  })
  async function refresh(): Promise<void> {
    await Promise.all([onRefresh(), reload()])
  }
  const failures = result?.tries.filter((each) => !isTaken(each)) ?? []
  const shown = isFailuresOnly ? failures : (result?.tries ?? [])
  return (
    <section class="sheet-section" aria-labelledby="deliveries-heading">
      <h3 id="deliveries-heading">Deliveries</h3>
      <div class="delivery-actions">
        <Button
          className="button small"
          isDisabled={sending.isRunning}
          onClick={() => sending.run(() => sendTest(webhook))}
        >
          {sending.isRunning ? 'Sending…' : 'Send a test'}
        </Button>
        <Button className="button small" isDisabled={isLoading} onClick={refresh}>
          Look again
        </Button>
      </div>
      <ErrorNotice error={sending.error} />
      <ErrorNotice error={error} retry={reload} />
      {result === undefined && error === undefined && <Loading lines={3} label="Loading the deliveries" />}
      {result?.tries.length === 0 && <p class="quiet">Nothing was sent in the last seven days.</p>}
      {result !== undefined && result.tries.length > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={isFailuresOnly}
            onChange={({ currentTarget }) => setFailuresOnly(currentTarget.checked)}
          />{' '}
          Only failures ({formatCount(failures.length)} of {formatCount(result.tries.length)})
        </label>
      )}
      <ol class="history">
        {shown.map((each) => (
          <Try
            key={String(each.id)}
            delivery={each}
            isBusy={sending.isRunning}
            again={() => sending.run(() => sendAgain(each))}
          />
        ))}
      </ol>
      {result?.hasMore === true && (
        <Button className="button small" isDisabled={isStale} onClick={() => setCount(4 * count)}>
          Show older deliveries
        </Button>
      )}
    </section>
  )
}

function Try({ delivery, isBusy, again }: { delivery: Delivery; isBusy: boolean; again: () => void }): VNode {
  const { time, attempt, durationMs, eventId, error, responseStart = '', nextAttemptAt } = delivery
  const state = isTaken(delivery) ? 'on' : 'failing'
  const outcome = outcomeText(delivery)
  return (
    <li>
      <p class="webhook-state" data-state={state}>
        <Icon name={isTaken(delivery) ? 'check' : 'warning'} />
        <b>{outcome}</b>
      </p>
      <p>{messageText(delivery)}</p>
      <p class="quiet">
        <time datetime={time}>{formatTime(time)}</time>
        {attempt > 1 && `, try ${formatCount(attempt)}`}, {formatCount(durationMs)} ms
        {nextAttemptAt !== undefined && `; then again ${formatTime(nextAttemptAt)}`}
      </p>
      {error !== undefined && !outcome.endsWith(error) && (
        <details class="delivery-response">
          <summary>Details</summary>
          <p class="quiet" dir="ltr">
            {error}
          </p>
        </details>
      )}
      {responseStart.trim() !== '' && (
        <details class="delivery-response">
          <summary>Response</summary>
          <pre dir="auto">{responseStart}</pre>
        </details>
      )}
      {eventId !== undefined && (
        <Button className="button small" isDisabled={isBusy} onClick={again} aria-label={`Send event ${eventId} again`}>
          Send again
        </Button>
      )}
    </li>
  )
}
