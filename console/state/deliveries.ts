import type { Delivery, Int64, Webhook } from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { type Live, useLive } from './live.ts'
import { eventTexts } from './webhooks.ts'

export interface DeliveryLog {
  /** The newest first. */
  tries: readonly Delivery[]
  /** Whether there are older ones. */
  hasMore: boolean
}

/** The latest `count` tries to send something to a webhook. They make no events, so they are read when somebody asks. */
export function useDeliveries(id: Int64, count: number): Live<DeliveryLog> {
  async function read(signal: AbortSignal): Promise<DeliveryLog> {
    const tries: Delivery[] = []
    for await (const { items, cursor } of service()
      .webhooks.deliveries(toInt64(String(id)), { limit: Math.min(count, 100) }, { signal })
      .pages()) {
      tries.push(...items)
      if (tries.length >= count)
        return { tries: tries.slice(0, count), hasMore: cursor !== undefined || tries.length > count }
    }
    return { tries, hasMore: false }
  }
  return useLive(`deliveries ${id} ${count}`, read, { concerns: () => false })
}

/** Resolves when the receiver has responded, or after 15 seconds. */
export function sendTest({ id }: Webhook): Promise<Delivery> {
  return service().webhooks.test(id)
}

export function sendAgain({ webhookId, id }: Delivery): Promise<Delivery> {
  return service().webhooks.resend(webhookId, id)
}

export function isTaken({ status = 0 }: Delivery): boolean {
  return status >= 200 && status < 300
}

/** What was sent. */
export function messageText({ type, eventId }: Delivery): string {
  if (eventId === undefined) return 'A test'
  return `${eventTexts[type as keyof typeof eventTexts] ?? type} (event ${eventId})`
}

/** Why there was no response, for people who run a server but not this one. */
const reasons: readonly [RegExp, string][] = [
  [/ECONNREFUSED/, 'nothing listens at its address'],
  [/ENOTFOUND|ENODATA|ESERVFAIL|EAI_AGAIN|ETIMEOUT|has no address/, 'its name was not found'],
  [/ETIMEDOUT|no response within/, 'it did not respond within 15 seconds'],
  [/ECONNRESET|EPIPE|socket hang up|closed without a response/, 'it closed the connection'],
  [/EHOSTUNREACH|ENETUNREACH/, 'its network cannot be reached'],
  [/TLS failed/, 'it does not speak HTTPS as it should'],
  [/certificate|CERT_|self-signed/, 'its certificate is not trusted'],
  [/must be a public address/, 'its address is not public'],
]

/** What came of a try, in words. */
export function outcomeText(delivery: Delivery): string {
  const { status, error = '' } = delivery
  if (isTaken(delivery)) return `Taken (${status})`
  if (status === undefined) return `Not taken: ${reasons.find(([form]) => form.test(error))?.[1] ?? error}`
  if (status === 410) return 'Refused for good (410)'
  if (status >= 300 && status < 400) return `Refused: it responds with a redirect (${status})`
  if (status === 401 || status === 403) return `Refused: it does not accept the sender (${status})`
  if (status === 404) return 'Refused: nothing is at this path (404)'
  return `Refused: ${status >= 500 ? 'its program failed' : 'it does not accept the event'} (${status})`
}
