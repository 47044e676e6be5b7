import type { RequestConnection } from '../http/kept-connection.ts'
import type { HeaderForm } from '../http/send.ts'
import type { HttpResponse } from '../http/response-reader.ts'
import { type Piece, withoutKey, withoutNewKeys } from './hidden-key.ts'
import type { Json } from './json.ts'
import { readJson } from './read-json.ts'

const shownCharacters = 300
const shownBytes = 4 * shownCharacters

/** What a check sends. The path is relative to the base address. */
export interface ShopRequest {
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'PROPFIND' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
  /** Default: application/json. */
  contentType?: string
  /** The value of Authorization, each character a byte; null sends none. Default: the key as a bearer token. */
  authorization?: string | null
  /** Of a stream: whether enough of it came. */
  until?: (text: string) => boolean
  /** Where the body is cut, in bytes: its parts are sent one after another, with pauses. */
  bodyCuts?: readonly number[]
  headerForm?: HeaderForm
  /** Names of headers that most requests have, and this one has not. */
  without?: readonly string[]
  /** Whether a server may refuse it before a shop sees it: a 400 or 431 is not judged. */
  serverMayRefuse?: true
  /** Default: a connection of its own. */
  connection?: RequestConnection
}

/** A request and what came of it: a response, or the reason why there is none. */
export interface Exchange {
  request: ShopRequest
  url: URL
  response?: HttpResponse
  fault?: string
  /** When it was sent, and when the response was complete, as `performance.now()` says it. */
  sentMs?: number
  gotMs?: number
}

/** What a report shows of an exchange. It holds no large body. */
export function brief(exchange: Exchange): Exchange {
  const { response } = exchange
  if (response === undefined || response.body.length <= shownBytes) return exchange
  return { ...exchange, response: { ...response, body: Buffer.from(response.body.subarray(0, shownBytes)) } }
}

/** A copyable command line that sends the same. It never contains the key, or a long part of it: the shell makes them. */
export function curlOf({ request, url }: Exchange, key: string): string {
  const { method, headers = {}, body, contentType = 'application/json', authorization = `Bearer ${key}` } = request
  const parts = ['curl', request.until === undefined ? '-i' : '-iN']
  if (method === 'HEAD') parts.push('-I')
  else if (method !== 'GET') parts.push('-X', method)
  if (authorization !== null) parts.push('-H', withBytes(inDoubleQuotes(credentialPieces(authorization, key))))
  for (const [name, value] of Object.entries(headers)) parts.push('-H', inQuotes(withoutKey(`${name}: ${value}`, key)))
  if (body !== undefined)
    parts.push('-H', inSingleQuotes(`Content-Type: ${contentType}`), '-d', inQuotes(withoutKey(body, key)))
  return [...parts, inQuotes(addressPieces(url.href, key))].join(' ')
}

function credentialPieces(authorization: string, key: string): Piece[] {
  return [{ text: 'Authorization: ', isKey: false }, ...withoutKey(authorization, key)]
}

/** In the path, words of the key may be there by chance. */
function addressPieces(href: string, key: string): Piece[] {
  const end = href.includes('?') ? href.indexOf('?') : href.length
  const path = href.slice(0, end).split(key)
  const start = path.flatMap((text, index) => [
    ...(index === 0 ? [] : [{ text: '${KEY}', isKey: true }]),
    ...withoutNewKeys(text, key),
  ])
  return [...start, ...withoutKey(href.slice(end), key)]
}

function inQuotes(pieces: readonly Piece[]): string {
  const hasKey = pieces.some(({ isKey }) => isKey)
  return hasKey ? inDoubleQuotes(pieces) : inSingleQuotes(pieces.map(({ text }) => text).join(''))
}

function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The shell puts the key in the place of its name. */
function inDoubleQuotes(pieces: readonly Piece[]): string {
  const quoted = pieces.map(({ text, isKey }) => (isKey ? text : text.replaceAll(/["\\$`]/g, String.raw`\$&`)))
  return `"${quoted.join('')}"`
}

/** Of a text in double quotes, the bytes beyond ASCII as bash and zsh write them. */
function withBytes(text: string): string {
  const escapesOf = (bytes: string) => bytes.replaceAll(/./gs, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
  return text.replaceAll(/[\x80-\xff]+/g, (bytes) => `"$'${escapesOf(bytes)}'"`)
}

const parsed = new WeakMap<HttpResponse, { json: Json | undefined }>()

/** The JSON of a response, undefined if its body is none. Read once. */
export function jsonOf(response: HttpResponse): Json | undefined {
  let entry = parsed.get(response)
  if (entry === undefined) parsed.set(response, (entry = { json: parse(response.content ?? response.body) }))
  return entry.json
}

function parse(body: Buffer): Json | undefined {
  try {
    // JSON has no byte order mark: RFC 8259, section 8.1.
    return readJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    return undefined
  }
}

export function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  return headers.find(([other]) => other === name)?.[1]
}

/** A response in one line, for a report. */
export function describe({ response, fault }: Exchange): string {
  if (response === undefined) return `no HTTP response: the server ${fault ?? 'sent none'}`
  const type = headerOf(response, 'content-type') ?? 'no Content-Type'
  const text = inOneLine(response.body.toString('utf8', 0, shownBytes))
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return `${response.status}, ${type}${shown === '' ? ', no body' : `: ${shown}`}`
}

/** JSON without its line breaks. Those within a string stay: they are a fault. */
function inOneLine(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  return text.replaceAll(/"(?:[^"\\]|\\[^])*"?|\s*\n\s*/g, (part) => (part.startsWith('"') ? part : ' ')).trim()
}

/**
 * Whether a server, not the shop, may have refused the request: its response need not follow the contract. A server may
 * ask for a length (RFC 9112, section 6.3), say that it does not know a coding (section 6.1), or that it meets no
 * expectations (RFC 9110, section 10.1.1).
 */
export function isServerRefusal({ request, response }: Exchange): boolean {
  const status = response?.status ?? 0
  const { 'Transfer-Encoding': coding, Expect: expectation } = request.headers ?? {}
  if (request.serverMayRefuse === true && [400, 431].includes(status)) return true
  return (coding !== undefined && [411, 501].includes(status)) || (expectation !== undefined && status === 417)
}

/** Whether no byte came, as when a system has dropped the connection before the server had it. */
export function isDropped({ fault = '' }: Exchange): boolean {
  return /^(?:sent nothing|reset the connection after 0 |refused the connection|cannot be reached)/.test(fault)
}

/** Why what came is no HTTP. A connection that was refused, or a response that is late, says nothing about that. */
export function brokenHttp({ request, fault }: Exchange): string | undefined {
  if (fault === undefined || request.serverMayRefuse === true) return undefined
  // A server may close a connection that is kept, while the next request is on its way.
  if (request.connection !== undefined && fault.startsWith('closed the connection without')) return undefined
  return /^(?:closed the connection|sent (?!nothing|no whole)|switched)/.test(fault) ? fault : undefined
}
