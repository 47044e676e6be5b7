import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { partsOfKey } from '../../verify/src/checks/key-parts.ts'
import { keyPlaces, otherSchemes, wrongKeys } from '../../verify/src/checks/wrong-keys.ts'
import { htmlOf } from '../../verify/src/report/html.ts'
import { junitOf } from '../../verify/src/report/junit.ts'
import { endText, resultText } from '../../verify/src/report/text.ts'
import type { Report } from '../../verify/src/run.ts'
import { curlOf } from '../../verify/src/shop/exchange.ts'
import { hideKey } from '../../verify/src/shop/hidden-key.ts'
import { BareShop, type BareRequest, bareKey, directTransport, error, type Handler } from './bare-shop.ts'
import { judge } from './judge.ts'

const key = 'wrong-four-key-1234567890'
const url = new URL('http://shop.test/v1/pets')

/** The longest part of a text that is in a form of the key, upper or lower case. */
function longestPart(text: string, form: string): number {
  const [lower, wanted] = [text.toLowerCase(), form.toLowerCase()]
  let longest = 0
  for (let start = 0; start < wanted.length; start++)
    while (start + longest < wanted.length && lower.includes(wanted.slice(start, start + longest + 1))) longest++
  return longest
}

function formsOf(one: string): Record<string, string> {
  const base64 = Buffer.from(one).toString('base64')
  return {
    key: one,
    reversed: one.split('').toReversed().join(''),
    base64: base64.replace(/.?=*$/, ''),
    percent: one.replaceAll(/[^]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
    hex: Buffer.from(one).toString('hex'),
    sha256: createHash('sha256').update(one).digest('hex'),
  }
}

function expectNoPart(text: string, one: string, what: string): void {
  for (const [name, form] of Object.entries(formsOf(one))) {
    const longest = longestPart(text, form)
    assert.ok(longest <= Math.max(3, one.length / 3), `${what} shows ${longest} characters of ${name}: ${text}`)
  }
}

function reportsOf(report: Report): Record<string, string> {
  return {
    terminal: `${report.results.map(resultText).join('')}${endText(report)}`,
    html: htmlOf(report),
    junit: junitOf(report),
    json: JSON.stringify(report, null, 2),
  }
}

/** Takes every key. Its shop has the key `one`, and what it was sent is in its responses. */
function careless(one: string, isKey: (credential: string) => boolean): Handler {
  const shop = new BareShop()
  return (request: BareRequest) => {
    const sent = [request.authorization, request.search, request.header?.('cookie'), request.header?.('x-api-key')]
    const came = `You sent ${sent.join(' ')}, the key is ${one}.`
    if (!isKey(request.authorization ?? '')) return error(401, 'unauthorized', came)
    const response = shop.handle({ ...request, authorization: `Bearer ${bareKey}` })
    return { ...response, body: response.body.replace(/\}(\]?)$/, `,"note":${JSON.stringify(came)}}$1`) }
  }
}

const carelessShops: Record<string, (credential: string) => boolean> = {
  'takes every key': () => true,
  'compares the first 22 characters': (credential) => credential.slice(7, 29) === key.slice(0, 22),
  'compares without case': (credential) => credential.toLowerCase() === `bearer ${key}`,
  'compares the last 22 characters': (credential) => credential.endsWith(key.slice(3)),
  'decodes base64': (credential) =>
    credential === `Bearer ${key}` || /^(?:Basic|Bearer) d3Jvbmct|^Basic (?:On|YXBp)/.test(credential),
}
for (const [name, isKey] of Object.entries(carelessShops))
  test(`no report has the key or a long part of it: a shop that ${name}`, async () => {
    const report = await judge(url, key, { transport: directTransport(careless(key, isKey)), level: 'recommended' })

    const failed = report.results.filter(({ outcome, id }) => outcome === 'failed' && id.startsWith('C-5'))
    assert.ok(failed.length > 0)
    for (const [kind, text] of Object.entries(reportsOf(report))) expectNoPart(text, key, kind)
  })

for (const one of [key, 'a"$`b\\c%41&d/e+f=<g>', 'pet_live_Zz09', 'secret', 'k'.repeat(80), 'Key.With.Dots~and|bars'])
  test(`every variant of the key ${one} is shown without it, and a shell makes it again`, () => {
    const credentials = [
      ...wrongKeys(one, 'mark'),
      ...partsOfKey(one).map((part) => `Bearer ${part}`),
      ...otherSchemes(one),
    ]
    const places = keyPlaces(one)
    const requests = [
      ...credentials.map((authorization) => ({ authorization })),
      ...places.map(({ query = '', headers = {} }) => ({ query, headers, authorization: null })),
      { body: JSON.stringify({ apiKey: one }), method: 'POST' as const, authorization: null },
    ]
    const lines = requests.map(({ query, ...request }: { query?: string; authorization: string | null }) => {
      const at = new URL(query === undefined ? url.href : `${url.href}?${query}`)
      return curlOf({ request: { method: 'GET', path: '/pets', ...request }, url: at }, one)
    })

    for (const line of lines) if (one !== 'k'.repeat(80)) expectNoPart(line, one, 'the curl line')
    const runnable = lines.flatMap((line, index) => {
      const wanted = index < credentials.length ? `Authorization: ${credentials[index]}` : undefined
      return wanted === undefined || /\[(?:a part of )?the key,/.test(line) ? [] : [{ line, wanted }]
    })
    assert.ok(runnable.length > credentials.length / 2)
    const script = `curl() { printf '%s\\n' "$3"; }\n${runnable.map(({ line }) => line).join('\n')}`
    const made = execFileSync('bash', ['-c', script], { env: { ...process.env, KEY: one }, encoding: 'utf8' })
    assert.deepEqual(
      made
        .trimEnd()
        .split('\n')
        .map((text) => text.trimEnd()),
      runnable.map(({ wanted }) => wanted.trimEnd()),
    )
  })

test('parts of the key are shown as expressions, and other words as they are', () => {
  const shown = {
    [key]: '${KEY}',
    [key.slice(0, -1)]: '${KEY%?}',
    [key.slice(0, 22)]: '${KEY:0:22}',
    [key.slice(1)]: '${KEY#?}',
    [key.toUpperCase()]: '${KEY^^}',
    'wronx-four-key-1234567890': '${KEY:0:4}x${KEY:5}',
    [createHash('md5').update(key).digest('hex')]: `$(printf %s "$KEY" | md5sum | cut -d' ' -f1)`,
    'no-such-key-1f': 'no-such-key-1f',
    'The key is wrong.': 'The key is wrong.',
    'wrong\\u002dfour\\u002dkey\\u002d1234567890': '[the key, escaped]',
  }
  for (const [text, wanted] of Object.entries(shown)) assert.equal(hideKey(text, key), wanted)
})
