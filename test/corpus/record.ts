import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Clock } from '../../src/inventory/clock.ts'
import { openStorage } from '../../src/storage/open.ts'
import { startApp } from '../support/app.ts'
import { sqlite, sqliteInMemory } from '../support/engines.ts'
import { startService } from '../support/service.ts'
import { exchange, type Exchanged, type RawRequest, type RawResponse } from './exchange.ts'
import { lastEtag } from './raw-request.ts'
import { corpus } from './requests.ts'
import { fillShop, now } from './shop.ts'
import { isUsual, type Variation } from './variations.ts'

/** A request and what came back, line by line, in the order of the corpus. */
export type Recording = Map<string, { request: string[]; response: string[] }>

/** Plays the requests of a variation against a shop of its own. */
export async function record(t: TestContext, variation: Variation): Promise<Recording> {
  const { startsAt = now, tickMs = 0, target, change, isSent = isUsual } = variation
  let time = startsAt
  const { origin } = await (variation.serve === undefined ? start(t, variation, () => time) : serve(t, variation.serve))
  return play({ ...target, port: Number(new URL(origin).port) }, corpus.filter(isSent), change, () => (time += tickMs))
}

async function start(t: TestContext, { engine = sqliteInMemory, options }: Variation, clock: Clock) {
  const storage = await engine.open(t, () => now)
  await fillShop(storage)
  return startApp(t, { clock, ...(await options?.(t)), storage, adminKey: 'admin' })
}

async function serve(t: TestContext, args: readonly string[]) {
  const url = await sqlite.url(t)
  const storage = await openStorage(url, { clock: () => now })
  await fillShop(storage)
  await storage.close()
  return startService(t, { args: [...args], env: { PETSTORE_DATABASE_URL: url } })
}

/** Sends the requests one after the other. */
export async function play(
  target: Parameters<typeof exchange>[0],
  requests: readonly RawRequest[],
  change: ((bytes: string) => string) | undefined,
  sent: () => void = () => undefined,
): Promise<Recording> {
  const recording: Recording = new Map()
  let etag = '"none"'
  for (const request of requests) {
    const changed = change?.(request.bytes) ?? request.bytes
    const exchanged = await exchange(target, { ...request, bytes: changed.replaceAll(lastEtag, etag) })
    sent()
    etag = exchanged.responses.at(-1)?.headers.find(([name]) => name === 'etag')?.[1] ?? etag
    recording.set(request.name, { request: requestLines(request.bytes), response: responseLines(request, exchanged) })
  }
  return recording
}

/** Lines of requests that are left out of the record. */
export const usualRequestLines = ['Host: petstore', 'X-Request-Id: corpus']
/** Lines of responses that are left out; a response without one says so. */
export const usualLines = [
  'cache-control: no-store',
  'connection: keep-alive',
  'content-length: that of the body',
  'content-type: application/json',
  'date: *',
  'keep-alive: timeout=72',
  'x-content-type-options: nosniff',
  'x-request-id: corpus',
]

function requestLines(bytes: string): string[] {
  return bytes
    .replace(/\r\n\r\n$/, '')
    .split('\r\n')
    .filter((line) => !usualRequestLines.includes(line))
    .map((line) => (line.length <= 300 ? line : `${line.slice(0, 60).trim()}… (${line.length} characters)`))
}

function responseLines({ name }: RawRequest, { responses, connection }: Exchanged): string[] {
  return [...responses.flatMap((response) => linesOf(response, name)), `connection ${connection}`]
}

function linesOf(response: RawResponse, request: string): string[] {
  const { statusLine, body } = response
  // The ids of events name the history of the database, so the tag of a list with them is another one each time.
  const hasEvents =
    /^(listEvents|listDeliveries|listImports|events?[ ,])/.test(request) ||
    body.includes('"sequence":"') ||
    randomImport.test(body.toString())
  const headers = response.headers.map(([name, value]) => {
    const isRandom = name === 'etag' && hasEvents
    return `${name}: ${isRandom ? '*' : masked(name, value, body.length, request.startsWith('HEAD /'))}`
  })
  const isInterim = statusLine.startsWith('HTTP/1.1 1')
  return [
    statusLine.replace('HTTP/1.1 ', ''),
    ...headers.filter((line) => !usualLines.includes(line)),
    ...(isInterim ? [] : usualLines.filter((line) => !headers.includes(line)).map((line) => `without ${line}`)),
    ...(body.length === 0 ? [] : ['', shown(response)]),
  ]
}

/** The id of an import that the service has made. */
const randomImport = /"id":"[0-9A-Za-z]{20}"/

/** What is random, or depends on the content of a page, gets a star. */
function masked(name: string, value: string, length: number, isPage: boolean): string {
  if (name === 'date') return '*'
  if (name === 'x-request-id' && value !== 'corpus') return '*'
  if (name === 'content-length' && Number(value) === length) return 'that of the body'
  if (isPage && (name === 'content-length' || name === 'etag')) return '*'
  return withoutRandom(value)
}

/**
 * Positions and ids of events name the history of the database; new keys have random ids and secrets,
 * new webhooks secrets, new invitations tokens, imports without an id random ones; a try has a real time.
 */
function withoutRandom(text: string): string {
  return text
    .replace(/\b(\d+)-(?!AAAAAAAA)[0-9A-Za-z]{8}(?=$|[ >"&\n])/gm, '$1-*')
    .replace(/key_[0-9A-Za-z]{12}\b/g, 'key_*')
    .replace(/"time":"[^"]+",("attempt":\d+(,"status":\d+)?),"durationMs":\d+/g, '"time":"*",$1,"durationMs":*')
    .replace(/(?<="(importId|id)":")[0-9A-Za-z]{20}(?=")/g, '*')
    .replace(/whsec_[0-9A-Za-z+/]{43}=/g, 'whsec_*')
    .replace(/pet_invite_[0-9A-Za-z]{32}\b/g, 'pet_invite_*')
    .replace(/pet_live_[0-9A-Za-z]{38}\b/g, 'pet_live_*')
}

function shown({ headers, body }: RawResponse): string {
  const coding = headers.find(([name]) => name === 'content-encoding')?.[1]
  const plain = coding === 'gzip' ? gunzipSync(body) : coding === 'br' ? brotliDecompressSync(body) : body
  const text = withoutRandom(plain.toString())
  const isText = Buffer.from(plain.toString()).equals(plain)
  return isText && text.length < 8_000
    ? text
    : `(sha256 ${createHash('sha256')
        .update(isText ? text : plain)
        .digest('hex')})`
}
