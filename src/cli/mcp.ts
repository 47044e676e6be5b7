import { parseExactly } from '../mcp/exact-json.ts'
import { WrongArgument } from './shared/failure.ts'

export interface McpVerbOptions {
  url: string
  key?: string
}

interface Message {
  id?: unknown
  method?: unknown
  params?: { name?: unknown; protocolVersion?: unknown; _meta?: Record<string, unknown> }
}

type Line = string | undefined

/** Longer than any message that the service takes. */
const maxLineLength = 256 * 1024
/** Messages that wait for a response, or for the agent to read it. The next line is read when there is room. */
const maxWaiting = 16
/** For a whole response: as long as most agents wait. */
const responseTimeoutMs = 60_000
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Connects an agent that speaks the Model Context Protocol over standard input and output to a running service: each line
 * is a message, sent as it is, so that ids keep all their digits.
 */
export async function mcp({ url, key = process.env['PETSTORE_API_KEY'] }: McpVerbOptions): Promise<void> {
  if (key === undefined || !/^[\x21-\x7e]+$/.test(key)) {
    throw new WrongArgument('an API key is needed, in PETSTORE_API_KEY or with --key.')
  }
  const forward = forwarder(endpointOf(url), key)
  const waiting = new Set<Promise<void>>()
  for await (const line of lines(process.stdin)) {
    if (line === undefined) {
      await write(protocolError(null, -32700, 'A line is too long.'))
      continue
    }
    if (line.trim() === '') continue
    const done = forward(line).then((responses) => (responses.length > 0 ? write(responses.join('\n')) : undefined))
    const entry = done.finally(() => waiting.delete(entry))
    waiting.add(entry)
    if (waiting.size >= maxWaiting) await Promise.race(waiting)
  }
  await Promise.all(waiting)
}

function endpointOf(url: string): URL {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new WrongArgument('--url must be the address of the service, such as http://127.0.0.1:8080.')
  }
  return new URL('/mcp', parsed)
}

/** Resolves when the agent has taken the line: what one that does not read is sent stays bounded. */
function write(line: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${line}\n`, () => resolve())
  })
}

/** Lines of a stream, each character a byte; undefined for one that is too long. */
async function* lines(stream: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let rest = ''
  let isTooLong = false
  for await (const chunk of stream) {
    const parts = (rest + chunk.toString('latin1')).split('\n')
    rest = parts.pop() as string
    for (const part of parts) {
      yield isTooLong || part.length > maxLineLength ? undefined : part
      isTooLong = false
    }
    if (rest.length > maxLineLength) isTooLong = true
    if (isTooLong) rest = ''
  }
  if (rest !== '') yield rest
}

/**
 * Sends messages, as `lines` has them. What it returns are the lines of the response: none for a notification. Always
 * resolves, within the timeout.
 */
export function forwarder(
  endpoint: URL,
  key: string,
  timeoutMs = responseTimeoutMs,
): (bytes: string) => Promise<string[]> {
  // Of the earlier handshake; messages of the later protocol have their version with them.
  let agreed: string | undefined

  return async (bytes) => {
    const line = decode(bytes)
    const message = parse(line)
    if (message === undefined) return [protocolError(null, -32700, 'A line is not a JSON object in UTF-8.')]
    const { id, method, params } = message
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...headersOf(message, agreed) },
        body: line,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      if (id === undefined) return []
      const answers = messagesIn(text, response.headers.get('content-type'))
      if (answers === undefined) return [protocolError(id, -32000, messageOf(text, response.status))]
      if (method === 'initialize') agreed = agreedVersion(answers) ?? String(params?.protocolVersion)
      return answers
    } catch (error) {
      if (id === undefined) return []
      return [
        protocolError(id, -32000, `The service at ${endpoint.origin} does not answer (${reasonOf(error, timeoutMs)}).`),
      ]
    }
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `nothing within ${timeoutMs / 1_000} s`
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Empty for what is not UTF-8: a name must not be changed on its way. */
function decode(bytes: string): string {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return ''
  }
}

function parse(line: string): Message | undefined {
  try {
    const value = parseExactly(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The headers repeat what the message says, as the protocol over HTTP demands. */
function headersOf({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const own = params?.['_meta']?.[versionKey]
  const version = own ?? (method === 'initialize' ? undefined : agreed)
  const isLater = own !== undefined
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && { 'mcp-protocol-version': printable(version) }),
    ...(isLater && typeof method === 'string' && { 'mcp-method': printable(method) }),
    ...(isLater && typeof params?.name === 'string' && { 'mcp-name': printable(params.name) }),
  }
}

/** A header has no other characters. A message with others is refused by the service. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

/** The messages of a response, each on one line. Undefined if it is none of this protocol. */
function messagesIn(text: string, type: string | null): string[] | undefined {
  const found = type?.startsWith('text/event-stream') === true ? text.match(/(?<=^data: )[^\r\n]+/gm) : [text]
  return found?.every((line) => parse(line) !== undefined && line.includes('"jsonrpc"')) === true
    ? [...found]
    : undefined
}

function agreedVersion(answers: readonly string[]): string | undefined {
  const { result } = parse(answers[0] ?? '') as { result?: { protocolVersion?: string } }
  return result?.protocolVersion
}

/** What the service says of its refusal, if it is one. */
function messageOf(text: string, status: number): string {
  const { message } = (parse(text) ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : `A response with status ${status} is no message of the protocol.`
}

function protocolError(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
