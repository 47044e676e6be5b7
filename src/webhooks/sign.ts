import { createHmac } from 'node:crypto'
import type { Endpoint } from '../inventory/webhooks.ts'

/** A message of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com). */
export interface Message {
  /** The `id` of the event: the same for every try, so that a receiver finds repeats. */
  id: string
  body: string
}

/**
 * The headers of one try, signed with every secret: while a secret is being replaced, a receiver may know either. A
 * receiver refuses a timestamp that is some minutes old, so each try has its own.
 */
export function signedHeaders({ id, body }: Message, secrets: readonly string[], now: number): Record<string, string> {
  const seconds = Math.floor(now / 1_000)
  const content = `${id}.${seconds}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, content)}`).join(' '),
  }
}

const secretPrefix = 'whsec_'

function signature(secret: string, content: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(content)
    .digest('base64')
}

/** The secrets that sign: the current one, and the one before until it expires. */
export function secretsOf(
  { secret, previousSecret }: Pick<Endpoint, 'secret' | 'previousSecret'>,
  now: number,
): string[] {
  return previousSecret === undefined || previousSecret.expiresAt <= now ? [secret] : [secret, previousSecret.secret]
}
