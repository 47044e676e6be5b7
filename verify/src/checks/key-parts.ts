import { createHash } from 'node:crypto'
import { type Check, type Subject, writes } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { expectStatus } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { operationNames, operations } from './authentication.ts'
import { fewRequestKinds } from './request-kinds.ts'
import { isOtherKey, keyPlaces } from './wrong-keys.ts'

/** Of a long key, some of its parts are sent. */
const maxParts = 60

/** What a shop may keep in the place of the key. */
function digestsOf(key: string): string[] {
  const hashes = ['md5', 'sha1', 'sha256', 'sha512']
  return hashes.flatMap((name) => (['hex', 'base64'] as const).map((form) => createHash(name).update(key).digest(form)))
}

/** Of the same characters, and of others with the same sum. */
function sumsOf(key: string): string[] {
  const code = (index: number) => key.charCodeAt(index)
  const at = Array.from(key).findIndex((one, index) => index > 0 && one !== key[index - 1])
  const swapped = at === -1 ? [] : [`${key.slice(0, at - 1)}${key[at]}${key[at - 1]}${key.slice(at + 1)}`]
  const hasRoom = key.length > 1 && code(0) < 0x7e && code(1) > 0x22
  return hasRoom ? [...swapped, `${String.fromCharCode(code(0) + 1, code(1) - 1)}${key.slice(2)}`] : swapped
}

/** Which a shop makes the key of that ignores case at one place, white space or marks, or reads parameters or a list. */
function otherForms(key: string): string[] {
  const middle = key.length >> 1
  const swapped = (text: string) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase())
  const start = /^[a-z\d]*/i.exec(key)?.[0] ?? ''
  return [
    `${swapped(start)}${key.slice(start.length)}`,
    `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`,
    `${key.slice(0, -1)}${swapped(key.slice(-1))}`,
    ...[' ', '-', '_', '.'].map((mark) => `${key.slice(0, middle)}${mark}${key.slice(middle)}`),
    key.replaceAll(/[_-]/g, (mark) => (mark === '_' ? '-' : '_')),
    `x, Bearer ${key}`,
    `${key}, Bearer x`,
    `token=${key}`,
    `token="${key}"`,
    `${key} realm="x"`,
    `0${key}`,
  ]
}

const separators = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ '.split('')

/** Every beginning and every end of the key, the key with one character changed or left out, and what stands around it. */
export function partsOfKey(key: string): string[] {
  const step = Math.ceil(key.length / maxParts)
  const places = Array.from({ length: Math.ceil(key.length / step) }, (_, index) => index * step)
  const other = (character: string | undefined) => (character === 'a' ? 'b' : 'a')
  const keys = [
    ...places.flatMap((at) => [key.slice(0, at), key.slice(at)]),
    ...places.flatMap((at) => [
      `${key.slice(0, at)}${other(key[at])}${key.slice(at + 1)}`,
      `${key.slice(0, at)}${key.slice(at + 1)}`,
    ]),
    ...separators.flatMap((mark) => [`${key}${mark}x`, `x${mark}${key}`, `${key}${mark}`, `${mark}${key}`]),
    ...otherForms(key),
    'x'.repeat(100),
    `${key}${key}`,
    `${key} ${key}`,
    `${key},${key}`,
    `${key.slice(0, -1)}*`,
    `${key[0]}*`,
    `${key[0]}${key}`,
    `${key.slice(0, key.length >> 1)}x${key.slice(key.length >> 1)}`,
    `<${key}>`,
    `"${key}"`,
    `'${key}'`,
    `[${key}]`,
    `{${key}}`,
    ...digestsOf(key),
    ...sumsOf(key),
  ].map((one) => one.trim())
  return [...new Set(keys)].filter((one) => isOtherKey(one, key))
}

/** Headers by which programs let requests pass that come from themselves, from a proxy, a cache or a test. */
const otherHeaders: Record<string, string>[] = [
  ...['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'X-Originating-IP', 'True-Client-IP', 'CF-Connecting-IP'].map(
    (name) => ({ [name]: '127.0.0.1' }),
  ),
  { Forwarded: 'for=127.0.0.1;host=localhost' },
  { 'X-Forwarded-Host': 'localhost' },
  { 'X-Forwarded-User': 'admin' },
  { 'X-Remote-User': 'admin' },
  { 'X-User-Id': '1', 'X-Role': 'admin' },
  { 'X-Internal': 'true', 'X-Debug': '1', 'X-Test': 'true' },
  { 'X-Requested-With': 'XMLHttpRequest' },
  { Referer: 'http://localhost/docs' },
  { 'User-Agent': 'kube-probe/1.33' },
  { 'User-Agent': 'curl/8.14.1', Accept: '*/*' },
  { Cookie: 'session=1; logged_in=true; user=admin' },
  { 'If-None-Match': '*' },
  { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  { Range: 'bytes=0-10' },
  { 'Cache-Control': 'max-stale=100' },
  { 'Accept-Language': 'de' },
  { 'X-HTTP-Method-Override': 'GET' },
  { 'X-Original-URL': '/health', 'X-Rewrite-URL': '/health' },
  { Accept: 'text/event-stream' },
  { Accept: 'application/xml, text/plain' },
  { 'Sec-Purpose': 'prefetch', Purpose: 'prefetch' },
  { Origin: 'null', 'Sec-Fetch-Mode': 'cors' },
  { TE: 'trailers', Pragma: 'no-cache', Date: 'Thu, 19 Nov 2026 10:00:00 GMT' },
]

/** Of them, those that say nothing that a shop might have to obey, with the key. */
const namesOfClients =
  /^(?:x-(?:forwarded-for|real-ip|client-ip|remote-user|forwarded-user|user-id|role|internal|debug|test))$/i

/** A header for the key that does not have it. */
const emptyCredentials = [
  '',
  ' ',
  'Bearer',
  'bearer ',
  'Bearer Bearer',
  'Basic',
  'Basic Og==',
  'Digest username="x"',
  'null',
]

async function expectRefused({ shop }: Subject, requests: readonly ShopRequest[]): Promise<void> {
  for await (const exchange of shop.sendAll(requests)) expectStatus(exchange, 401)
}

export const keyPlaceChecks: readonly Check[] = [
  writes('C-5-22', {
    name: 'only the header Authorization says whether a request has the key, whatever is beside it',
    sentence: says.header,
    conclusion: 'What other headers say is not the key.',
    turn: 'settled',
    async run(subject) {
      const { shop } = subject
      const { key } = shop.options
      const wrong = `no-such-key-${shop.mark}`
      const kinds = (await fewRequestKinds(subject)).filter(({ status }) => status !== 401)
      const others = keyPlaces(wrong).flatMap(({ headers }) => (headers === undefined ? [] : [headers]))
      const clients = otherHeaders.filter((headers) => Object.keys(headers).every((name) => namesOfClients.test(name)))
      const accepted = [...others, ...clients].flatMap((headers, index) =>
        kinds.filter((_, place) => (place + index) % 2 === 0).map((kind) => ({ ...kind, headers })),
      )
      const requests = await Promise.all(accepted.map(async ({ next, headers }) => ({ ...(await next()), headers })))
      const left = [...accepted]
      for await (const exchange of shop.sendAll(requests)) expectStatus(exchange, left.shift()?.status ?? 200)
      const refused: ShopRequest[] = []
      for (const [index, { query, headers = {} }] of keyPlaces(key).entries())
        for (const { next } of kinds.filter((_, place) => (place + index) % 2 === 0)) {
          const request = await next()
          const path = query === undefined ? request.path : `${request.path.split('?')[0]}?${query}`
          refused.push({ ...request, path, headers, authorization: `Bearer ${wrong}` })
        }
      await expectRefused(subject, refused)
    },
  }),
]

export const keyPartChecks: readonly Check[] = [
  writes('C-5-20', {
    name: 'no part of the key is a key, nor is the key with a character too many, too few or changed',
    sentence: says.unauthorized,
    conclusion: 'Only the whole key is the key.',
    turn: 'last',
    async run(subject) {
      const requests: ShopRequest[] = []
      for (const [index, wrong] of partsOfKey(subject.shop.options.key).entries()) {
        const all = await operations[operationNames[index % 3] as 'listPets'](subject)
        const request = all[Math.floor(index / 3) % 2]
        if (request !== undefined) requests.push({ ...request, authorization: `Bearer ${wrong}` })
      }
      await expectRefused(subject, requests)
    },
  }),
  writes('C-5-21', {
    name: 'without the key no other header opens the shop, and no header for the key that is empty',
    sentence: says.unauthorized,
    conclusion: 'Another header is no key, and an empty one has none.',
    turn: 'last',
    async run(subject) {
      const requests: ShopRequest[] = []
      for (const operation of operationNames) {
        for (const headers of otherHeaders) {
          const [request] = await operations[operation](subject)
          if (request !== undefined) requests.push({ ...request, headers, authorization: null })
        }
        for (const authorization of emptyCredentials) {
          const [request] = await operations[operation](subject)
          if (request !== undefined) requests.push({ ...request, authorization })
        }
      }
      await expectRefused(subject, requests)
    },
  }),
]
