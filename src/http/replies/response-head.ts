import type { ServerResponse } from 'node:http'
import { http } from '../node-http.ts'

/** What Node refuses in the value of a header, such as a line break. */
const invalidValue = /[^\t\x20-\x7e\x80-\xff]/

/** A line of the head of a response. Throws if no header can have the value, which may come from a client. */
export function headerLine(name: string, value: string): string {
  if (invalidValue.test(value)) throw new Error(`The value of the header ${name} has a character that it cannot have.`)
  return `${name}: ${value}\r\n`
}

/** Removes the headers that no response can have, so that an error can be sent. */
export function removeInvalid(headers: Record<string, string>): void {
  for (const name in headers) if (invalidValue.test(headers[name] as string)) delete headers[name]
}

/** The names and values of header lines, alternating, as `writeHead` of Node takes them. */
export function headerPairs(lines: string): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const end = line.indexOf(': ')
      return [line.slice(0, end), line.slice(end + 2)]
    })
}

/**
 * What `writeHead` of Node sets: private parts, seen in Node 20.20.2 and 26.10.0. Node looks at each name and value of
 * each response anew, for 2 µs of the 12 to 15 µs that it needs for a small response. After a change of Node,
 * test/http/node-internals.test.ts says what is missing.
 */
interface ResponseInternals {
  readonly useChunkedEncodingByDefault: boolean
  _header: string
  _headerSent: boolean
  _hasBody: boolean
  /** The connection closes after this response. */
  _last: boolean
  shouldKeepAlive: boolean
  readonly _keepAliveTimeout: number
  readonly _expect_continue: boolean
  readonly _sent100: boolean
}

/** Whether a response of this status ends with its head. */
export function isWithoutBody(status: number): boolean {
  return status === 204 || status === 304
}

/** Sets the head of a response whose length is known: its lines include it, or its status has no body. */
export function writeHead(outgoing: ServerResponse, status: number, lines: string, closesConnection: boolean): void {
  if (outgoing.headersSent) throw new Error('The head of this response was written before.')
  const unsent = outgoing as unknown as ResponseInternals
  // The client was not asked for the body that it announced, so what it sends next may be that.
  const mayHaveUnread = unsent['_expect_continue'] && !unsent['_sent100']
  // For HTTP/1.0 Node closes the connection after a response without a length.
  const hasNoEnd = isWithoutBody(status) && !unsent.useChunkedEncodingByDefault
  const isLast = closesConnection || !unsent.shouldKeepAlive || mayHaveUnread || hasNoEnd
  outgoing.statusCode = status
  // Node may have set it: the client has ended its side.
  if (isLast) unsent['_last'] = true
  unsent['_headerSent'] = false
  if (isWithoutBody(status)) unsent['_hasBody'] = false
  const connection = isLast
    ? 'Connection: close\r\n\r\n'
    : `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(unsent['_keepAliveTimeout'] / 1_000)}\r\n\r\n`
  unsent['_header'] = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines}Date: ${httpDate()}\r\n${connection}`
}

let second = 0
let date = ''

/** The time as a header has it. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1_000)
  if (now !== second) {
    second = now
    date = new Date(now * 1_000).toUTCString()
  }
  return date
}
