import { mediaTypes, type WebhookFormat } from '../contract/webhook-format.ts'
import type { Exchange } from '../http/exchange.ts'
import { withoutSecrets } from '../http/request/secrets.ts'
import { loopSteps } from '../inventory/loop-steps.ts'
import type { ListRequestsQuery } from './journal-operations.ts'

/** What a client sent, and what it got. */
export interface JournalEntry {
  /** Ascending in the order in which the requests began. */
  id: number
  at: string
  requestId: string
  method: string
  /** With its query. */
  path: string
  operation?: string
  headers: Record<string, string>
  /** The beginning, as text. */
  body?: string
  /** The length of the whole body. */
  bodyBytes?: number
  /** Absent while there is no response, or if there was none. */
  status?: number
  fault?: string
  milliseconds?: number
}

export interface JournaledDelivery {
  url: string
  format: WebhookFormat
  /** Of the event. */
  id: string
  body: string
  /** Milliseconds since 1970. */
  at: number
  status: number | undefined
  milliseconds: number
}

const maxEntries = 1_000
const maxBodyBytes = 8 * 1024
const maxTotalBytes = 2 * 1024 * 1024
/** The memory of an entry beside its texts. */
const overheadBytes = 500

const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie'])

export type Journal = ReturnType<typeof openJournal>

/** The latest requests of a shop, in order. Those of the sandbox itself are not in it. */
export function openJournal() {
  let entries: JournalEntry[] = []
  let bytes = 0
  let lastId = 0
  const open = new WeakMap<Exchange, JournalEntry>()

  function grow(by: number): void {
    bytes += by
    while (entries.length > maxEntries || bytes > maxTotalBytes) {
      bytes -= sizeOf(entries.shift() as JournalEntry)
    }
  }

  return {
    begin(exchange: Exchange): void {
      const { id: requestId, method, url, target, rawHeaders } = exchange.request
      const { outgoing } = exchange.response
      if (!isJournaled(target.path)) return
      const [path, headers] = [withoutSecrets(url), headersOf(rawHeaders)]
      const entry: JournalEntry = { id: ++lastId, at: new Date().toISOString(), requestId, method, path, headers }
      open.set(exchange, entry)
      entries.push(entry)
      grow(sizeOf(entry))
      outgoing.once('close', () => {
        if (!outgoing.headersSent) delete entry.status
      })
    },

    /** Notes the operation, and the body as it was sent, if it was read. */
    accepted(exchange: Exchange): void {
      const { body, route } = exchange.findings
      const entry = open.get(exchange)
      if (entry !== undefined && route?.operation !== undefined) entry.operation = route.operation.id
      if (entry === undefined || !Buffer.isBuffer(body)) return
      entry.body = withoutSecrets(body.toString('utf8', 0, maxBodyBytes))
      entry.bodyBytes = body.length
      // It may have been dropped meanwhile.
      if (entries.includes(entry)) grow(Buffer.byteLength(entry.body))
    },

    answered(exchange: Exchange, status: number): void {
      const entry = open.get(exchange)
      if (entry === undefined) return
      entry.status = status
      entry.milliseconds = Math.round(performance.now() - exchange.request.startedAt)
    },

    disturbed(exchange: Exchange, fault: string): void {
      const entry = open.get(exchange)
      if (entry !== undefined) entry.fault = fault
    },

    /** Notes a delivery to a webhook, which the shop sent. Its path is the whole address. */
    delivered({ url, format, id, body, at, status, milliseconds }: JournaledDelivery): void {
      const entry: JournalEntry = {
        id: ++lastId,
        at: new Date(at).toISOString(),
        requestId: `delivery-${id}`,
        method: 'POST',
        path: url,
        operation: 'deliverEvents',
        headers: { 'content-type': mediaTypes[format], 'webhook-id': id },
        body: Buffer.from(body).toString('utf8', 0, maxBodyBytes),
        bodyBytes: Buffer.byteLength(body),
        ...(status !== undefined && { status }),
        milliseconds,
      }
      entries.push(entry)
      grow(sizeOf(entry))
    },

    list({ method, path, operation, status, after = 0 }: ListRequestsQuery): JournalEntry[] {
      return entries.filter(
        (entry) =>
          entry.id > after &&
          (method === undefined || entry.method === method) &&
          (path === undefined || entry.path.split('?')[0] === path) &&
          (operation === undefined || entry.operation === operation) &&
          (status === undefined || entry.status === status),
      )
    },

    clear(): void {
      entries = []
      bytes = 0
    },
  }
}

/** The JSON of a list of entries, made in steps of the event loop: it may have many megabytes. */
export async function encodeEntries(entries: readonly JournalEntry[]): Promise<string> {
  const steps = loopSteps()
  const texts: string[] = []
  for (const entry of entries) {
    texts.push(JSON.stringify(entry))
    if (steps.isOver()) await steps.next()
  }
  return `[${texts.join(',')}]`
}

function isJournaled(path: string): boolean {
  return path === '/mcp' || (path.startsWith('/v1/') && path !== '/v1/sandbox' && !path.startsWith('/v1/sandbox/'))
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    const value = secretHeaders.has(name) ? '…' : withoutSecrets(rawHeaders[index + 1] as string)
    const before = Object.hasOwn(headers, name) ? `${headers[name]}, ` : ''
    Object.defineProperty(headers, name, {
      value: before + value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return headers
}

function sizeOf({ path, headers, body = '' }: JournalEntry): number {
  let size = overheadBytes + path.length + Buffer.byteLength(body)
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length
  return size
}
