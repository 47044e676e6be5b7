// The entry `@petstore/client/webhooks`: checks that a webhook comes from the shop (Standard Webhooks 1.0.0). It sends
// nothing and loads nothing of the client but its JSON.

import type { ShopEvent, WebhookTestEvent } from './contract.ts'
import { parseJson } from './json.ts'

export type { WebhookTestEvent }

/** What a webhook delivers. `type` says which. */
export type WebhookEvent = ShopEvent | WebhookTestEvent

/** `Headers`, or an object with the names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

export interface VerifyOptions {
  /** The time to compare the timestamp with; default: now. For webhooks that were stored before they are verified. */
  now?: Date | undefined
}

/** What is wrong with a webhook. */
export type WebhookFault =
  | 'missing_header'
  | 'invalid_header'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'invalid_body'

/** The request is not a webhook of the shop: respond with 400 and do nothing of what it says. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}

const toleranceSeconds = 5 * 60

/** Functions for the receiver of webhooks. */
export const Webhooks = {
  /**
   * The event of a webhook, if one of the secrets has signed it within five minutes; otherwise throws a
   * WebhookVerificationError. `body` is the body of the request as it came, before a JSON parser. Several secrets are for
   * a rotation: one that fits is enough. Throws a TypeError if an argument is not usable.
   */
  async verify(
    body: string | Uint8Array | ArrayBuffer,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    { now = new Date() }: VerifyOptions = {},
  ): Promise<WebhookEvent> {
    const bytes = bytesOf(body)
    const keys = [secret].flat().map(keyOf)
    if (keys.length === 0) throw new TypeError('secret must be a secret of a webhook, or several, got none.')
    const id = header(headers, 'webhook-id')
    const timestamp = header(headers, 'webhook-timestamp')
    const signatures = header(headers, 'webhook-signature').split(' ')
    checkTimestamp(timestamp, now.getTime() / 1_000)
    // The signature covers the text of the headers, not what they mean.
    const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
    const expected = await Promise.all(keys.map((key) => sign(key, signed)))
    // Every pair is compared, so the time says nothing about which one is nearly right.
    const equal = expected.flatMap((text) => signatures.map((signature) => isEqual(signature, text)))
    if (!equal.includes(true)) {
      throw new WebhookVerificationError(
        'wrong_signature',
        'No v1 signature of the webhook fits: the secret is another one, or the body is not as it was sent.',
      )
    }
    return eventOf(bytes)
  },
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Not `instanceof`: test runners have a realm of their own.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new TypeError('body must be the raw text or bytes of the request: read it before a JSON parser does.')
}

/** The bytes of a secret. No message contains it. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : ''
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw new TypeError('secret must be the secret of a webhook: whsec_ and base64.')
  }
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = [value ?? []].flat().join(' ')
  if (text === '') throw new WebhookVerificationError('missing_header', `The request has no header ${name}.`)
  return text
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function'
}

function checkTimestamp(text: string, nowSeconds: number): void {
  if (!/^[0-9]{1,15}$/.test(text)) {
    throw new WebhookVerificationError('invalid_header', 'The header webhook-timestamp must be seconds since 1970.')
  }
  const ageSeconds = nowSeconds - Number(text)
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const [code, side] = ageSeconds > 0 ? (['too_old', 'before'] as const) : (['too_new', 'after'] as const)
  throw new WebhookVerificationError(
    code,
    `The webhook was sent more than five minutes ${side} the time of this machine: it is a repetition, or a clock is wrong.`,
  )
}

async function sign(secret: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return `v1,${btoa(String.fromCharCode(...signature))}`
}

/** In a time that depends on the lengths alone. */
function isEqual(text: string, expected: string): boolean {
  let difference = text.length ^ expected.length
  for (let index = 0; index < expected.length; index += 1) {
    difference |= text.charCodeAt(index) ^ expected.charCodeAt(index)
  }
  return difference === 0
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    const event = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent | null
    if (typeof event === 'object' && typeof event?.type === 'string') return event
  } catch {
    // Neither UTF-8 nor JSON.
  }
  throw new WebhookVerificationError('invalid_body', 'The body is signed, but it is not an event of the shop.')
}
