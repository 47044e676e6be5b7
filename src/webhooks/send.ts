import type { ClientRequest, IncomingMessage } from 'node:http'
import { mediaTypes, type WebhookFormat } from '../contract/webhook-format.ts'
import type { Clock } from '../inventory/clock.ts'
import { unavailable } from '../inventory/errors.ts'
import { type AddressRules, endpointLookup, readEndpointUrl } from './addresses.ts'
import { connectionError, isOwnLack } from './connection-error.ts'
import type { SendResult } from './send-result.ts'
import { type Message, signedHeaders } from './sign.ts'

export interface Target {
  url: string
  /** The current secret, and the one before while it is being replaced. */
  secrets: readonly string[]
  format: WebhookFormat
}

export interface SendOptions {
  addresses: AddressRules
  /** For the timestamp of the signature. */
  clock?: Clock
  /** For the whole try: name, connection, request and response. */
  timeoutMs?: number
  /** Ends the try as a failure. */
  signal?: AbortSignal | undefined
  /** Asked when the connection is open: otherwise nothing is written, and the try is a failure. */
  mayWrite?: (() => boolean) | undefined
}

export const sendTimeoutMs = 15_000
/** The status has decided: more of the body is read only for people to look at. */
const bodyTimeoutMs = 1_000
const maxBodyBytes = 1_024
const maxErrorLength = 200
const maxInformationalResponses = 16

/**
 * One POST over a connection of its own. Resolves within the timeout, whatever the endpoint does. Rejects if this machine
 * cannot open a connection.
 */
export async function send(message: Message, target: Target, options: SendOptions): Promise<SendResult> {
  const { clock = Date.now } = options
  const startedAt = performance.now()
  const headers = {
    'content-type': mediaTypes[target.format],
    ...signedHeaders(message, target.secrets, clock()),
  }
  const result = await exchange(target.url, message.body, headers, options).catch((error: unknown) => {
    if (isOwnLack(error)) throw unavailable(`No connection to a webhook can be opened: ${describe(error)}.`)
    return { error: describe(error) }
  })
  return { ...result, durationMs: Math.round(performance.now() - startedAt) }
}

async function exchange(
  url: string,
  body: string,
  headers: Record<string, string>,
  { addresses, timeoutMs = sendTimeoutMs, signal, mayWrite = () => true }: SendOptions,
): Promise<Omit<SendResult, 'durationMs'>> {
  // Throws for an address: `lookup` is called for names only.
  const { protocol, ...target } = requestTarget(readEndpointUrl(url, addresses))
  // Loaded by the first delivery: see http/node-http.ts.
  const { request: open } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
  const request = open({
    ...target,
    method: 'POST',
    // A connection that is kept could lead to an address that was checked long ago.
    agent: false,
    lookup: endpointLookup(addresses),
    headers: {
      'content-length': Buffer.byteLength(body),
      'user-agent': 'petstore-webhooks',
      ...headers,
    },
  })
  const timer = setTimeout(() => request.destroy(new Error(`no response within ${timeoutMs / 1_000} s`)), timeoutMs)
  const abort = () => request.destroy(new Error('the service stopped'))
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  try {
    const responding = responseOf(request)
    request.once('socket', (socket) =>
      socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (mayWrite()) request.end(body)
        else request.destroy(new Error('nothing was sent'))
      }),
    )
    const response = await responding
    return { status: response.statusCode ?? 0, responseStart: printable(await firstBytes(response)) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    request.destroy()
  }
}

function requestTarget({ protocol, hostname, port, pathname, search }: URL) {
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname}${search}` }
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let informational = 0
    request
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('the connection was closed without a response')))
      .on('upgrade', (response, socket) => {
        socket.destroy()
        resolve(response)
      })
      .on('information', () => {
        if (++informational > maxInformationalResponses) reject(new Error('too many informational responses'))
      })
  })
}

/** Resolves after a limited number of bytes and a limited time, also if the rest never comes. */
function firstBytes(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const done = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).subarray(0, maxBodyBytes))
    }
    const timer = setTimeout(done, bodyTimeoutMs)
    response
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= maxBodyBytes) done()
      })
      .on('close', done)
      .on('error', done)
  })
}

/** Invalid UTF-8 becomes U+FFFD, a character that was cut is left out, control characters become spaces. */
function printable(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true })
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
}

function describe(error: unknown): string {
  return printable(Buffer.from(connectionError(error).slice(0, maxErrorLength)))
}
