import { type Check, type Subject, writes } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { expectStatus } from '../shop/expect.ts'
import { keySentence, operationNames, operations } from './authentication.ts'
import { isOtherKey } from './wrong-keys.ts'

/** Of a long key, some of its parts are sent. */
const maxParts = 60

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
    ...separators.flatMap((mark) => [`${key}${mark}x`, `x${mark}${key}`, `${mark}${key}${mark}`]),
    'x'.repeat(100),
    `${key}${key}`,
    `${key} ${key}`,
    `${key},${key}`,
    `${key.slice(0, -1)}*`,
    `${key[0]}*`,
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
]

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

export const keyPartChecks: readonly Check[] = [
  writes('C-5-20', {
    name: 'no part of the key is a key, nor is the key with a character too many, too few or changed',
    sentence: keySentence,
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
    sentence: keySentence,
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
