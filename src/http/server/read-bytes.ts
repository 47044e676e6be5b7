import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The number of bytes of a request and of its body, if it is written in the usual way: one space between the parts of
 * the first line and after each colon.
 */
export function usualLengths({ method = '', url = '', rawHeaders }: IncomingMessage): { head: number; body: number } {
  let head = method.length + url.length + '  HTTP/1.1\r\n\r\n'.length
  let body = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
    head += name.length + value.length + ': \r\n'.length
    if (name.length === 'content-length'.length && name.toLowerCase() === 'content-length') body = Number(value)
  }
  return { head, body }
}

/**
 * Whether the head of the request is written in the usual way. A client writes all its requests alike: to look at the
 * first one of a connection is enough, and its bytes are copied for it. `earlier` is what was read before its end.
 */
export function isWrittenUsually(request: IncomingMessage, earlier: string): boolean {
  const { socket, method, url, httpVersion, rawHeaders } = request
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let index = 0; index < rawHeaders.length; index += 2)
    head += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  return (earlier + textBeingParsed(socket)).includes(`${head}\r\n`)
}

/**
 * Whether the first line of the request has more than its two spaces, which Node's parser skips. `earlier` is what
 * was read before the end of the head. The text may have other requests too.
 */
export function hasMoreSpaces({ socket, method, url, httpVersion }: IncomingMessage, earlier: string): boolean {
  const parts = [method ?? '', url ?? '', `HTTP/${httpVersion}\r\n`]
  const text = earlier + textBeingParsed(socket)
  // Nothing of the text is copied: a packet may have many such requests.
  return !text.includes(parts.join(' ')) && new RegExp(parts.map((part) => RegExp.escape(part)).join(' +')).test(text)
}

/**
 * Node's parser, as far as it is used here: private parts, because there is no public way to see the bytes that it reads,
 * or to stop it. They were seen in Node 20.20.2 and 26.10.0. After a change of Node, test/http/node-internals.test.ts
 * says which are missing, and what happens without them.
 */
interface Parser {
  constructor: { kOnExecute?: number }
  /** Gets every request. The number says how the parser goes on. */
  onIncoming: (request: { upgrade: boolean }) => number
  /** A copy of the bytes that are parsed now, as they came from the system. It takes several microseconds. */
  getCurrentBuffer?(): Buffer | undefined
  /** By the number `kOnExecute`: runs when what was read has been parsed. */
  [callback: number]: ((...result: unknown[]) => unknown) | undefined
}

function parserOf(socket: Socket): Parser | null | undefined {
  return (socket as Socket & { parser?: Parser | null }).parser
}

/** What Node's parser reads now, a character for each byte. */
export function textBeingParsed(socket: Socket): string {
  return parserOf(socket)?.getCurrentBuffer?.()?.toString('latin1') ?? ''
}

/** Calls `work` each time when Node has parsed what it read; `textBeingParsed` is that. */
export function onParsed(socket: Socket, work: () => void): void {
  const parser = parserOf(socket)
  const kOnExecute = parser?.constructor.kOnExecute
  const execute = kOnExecute === undefined ? undefined : parser?.[kOnExecute]
  if (!parser || kOnExecute === undefined || execute === undefined) return
  parser[kOnExecute] = (...result) => {
    work()
    return execute(...result)
  }
}

/**
 * Makes Node drop later requests. It would parse everything that it reads and keep every request until its response was
 * sent; a few megabytes of requests without responses would stop the service for minutes. Returns false without a
 * parser.
 */
export function ignoreRequests(socket: Socket): boolean {
  const parser = parserOf(socket)
  if (!parser) return false
  parser.onIncoming = (request) => {
    // Node would close the connection at once for an upgrade that nobody handles.
    request.upgrade = false
    // The parser stops, as if another protocol began, and drops the other bytes that were read with this request.
    return 2
  }
  return true
}
