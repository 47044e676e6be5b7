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
 * Whether the first line of the request has more than its two spaces, which Node's parser skips. The bytes may have
 * other requests too. If the line is not there, it came with earlier ones, and the answer is no.
 */
export function hasMoreSpaces({ socket, method, url, httpVersion }: IncomingMessage): boolean {
  const parts = [method ?? '', url ?? '', `HTTP/${httpVersion}\r\n`]
  const text = bytesBeingParsed(socket)?.toString('latin1') ?? ''
  // Nothing of the text is copied: a packet may have many such requests.
  return !text.includes(parts.join(' ')) && new RegExp(parts.map((part) => RegExp.escape(part)).join(' +')).test(text)
}

/**
 * A copy of the bytes that Node's parser reads now, as they came from the system. There is no public way to see them. It
 * takes several microseconds.
 */
function bytesBeingParsed(socket: Socket): Buffer | undefined {
  const { parser } = socket as Socket & { parser?: { getCurrentBuffer?(): Buffer | undefined } | null }
  return parser?.getCurrentBuffer?.()
}
