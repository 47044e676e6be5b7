import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCodeOf } from '../../verify/src/run.ts'
import { retryAfterS, RetryWaits } from '../../verify/src/shop/retry-after.ts'
import { bareKey, type BareRequest, BareShop, directTransport, error } from './bare-shop.ts'
import { idsOf, judge } from './judge.ts'

const url = new URL('http://shop.test/v1')

/** A shop that answers 429, or another status, to some requests. */
function limitedShop(retryAfter: string, isLimited: (request: BareRequest) => boolean, status = 429) {
  const shop = new BareShop()
  return directTransport((request) =>
    isLimited(request)
      ? { ...error(status, 'rate_limited', 'Later.'), headers: { 'retry-after': retryAfter } }
      : shop.handle(request),
  )
}

test('Retry-After is a number of seconds or a date', () => {
  const now = Date.UTC(2026, 10, 17, 8, 0, 0)
  const headersOf = (value = '', date = ''): [string, string][] => [
    ...(value === '' ? [] : [['retry-after', value] as [string, string]]),
    ...(date === '' ? [] : [['date', date] as [string, string]]),
  ]
  const secondsOf = (status: number, value?: string, date?: string) =>
    retryAfterS(
      {
        request: { method: 'GET', path: '/pets' },
        url,
        response: { status, headers: headersOf(value, date), body: Buffer.alloc(0) },
      },
      now,
    )

  assert.equal(secondsOf(429, '7'), 7)
  assert.equal(secondsOf(429, 'Tue, 17 Nov 2026 08:00:20 GMT'), 20)
  assert.equal(secondsOf(503, 'Tue, 17 Nov 2026 08:01:30 GMT'), 90)
  assert.equal(secondsOf(429, 'Tue, 17 Nov 2026 07:00:00 GMT'), 0.1)
  assert.equal(secondsOf(429, 'Tue, 17 Nov 2026 07:00:07 GMT', 'Tue, 17 Nov 2026 07:00:00 GMT'), 7)
  assert.equal(secondsOf(429, 'soon'), 1)
  assert.equal(secondsOf(429), 1)
  assert.equal(secondsOf(503), undefined)
  assert.equal(secondsOf(200, '7'), undefined)
})

test('a shop that limits some requests for good is not failed for it: the checks are not judged, and it is no pass', async () => {
  const transport = limitedShop('3600', ({ method }) => method === 'POST')

  const report = await judge(url, bareKey, { transport })

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.equal(
    report.results.find(({ id }) => id === 'C-4.2-1')?.reason,
    'the shop limits requests: 429, Retry-After: 3600 (try a lower --rate)',
  )
  assert.ok(idsOf(report, 'passed').includes('C-4.1-2'))
  assert.equal(exitCodeOf(report), 2)
})

test('a request that is limited for a moment is sent again', async () => {
  let limited = 0
  const transport = limitedShop('0', ({ query }) => query.get('limit') === '7' && limited++ < 8)

  const report = await judge(url, bareKey, { transport, only: 'C-4.1-4' })

  assert.deepEqual(idsOf(report, 'passed'), ['C-4.1-4'])
})

test('a shop that puts some requests off for good with 503 and Retry-After is not failed for it', async () => {
  const transport = limitedShop('3600', ({ query }) => query.get('limit') === '7', 503)

  const report = await judge(url, bareKey, { transport })

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.equal(
    report.results.find(({ id }) => id === 'C-4.1-4')?.reason,
    'the shop puts requests off: 503, Retry-After: 3600 (try a lower --rate)',
  )
})

test('a request waits a minute in all, a run five, and what waits at the same time counts once', () => {
  const waits = new RetryWaits()

  assert.ok(waits.take(1000, 59_000, 0))
  assert.ok(!waits.take(1000, 59_500, 1000))
  for (const _ of [1, 2, 3]) assert.ok(waits.take(60_000, 0, 1000))
  for (const minute of [1, 2, 3]) assert.ok(waits.take(60_000, 0, 1000 + minute * 60_000))
  assert.ok(!waits.take(60_000, 0, 241_000))
  assert.ok(waits.take(59_000, 0, 241_000))
  assert.ok(!waits.take(1, 0, 300_000))
})

test('if all requests are limited nothing is judged: exit code 2', async () => {
  const transport = limitedShop('3600', () => true)

  const report = await judge(url, bareKey, { transport })

  assert.equal(report.unreachable, 'The shop limits requests: 429, Retry-After: 3600 (try a lower --rate).')
  assert.equal(exitCodeOf(report), 2)
})

test('an interruption ends the wait for a shop that limits requests', async () => {
  const interruption = new AbortController()
  const transport = limitedShop('60', ({ query }) => {
    if (query.get('limit') !== '7') return false
    setImmediate(() => interruption.abort())
    return true
  })

  const report = await judge(url, bareKey, { transport, only: 'C-4.1-4', signal: interruption.signal })

  assert.equal(report.results[0]?.reason, 'the run was interrupted')
  assert.ok(report.durationMs < 30_000)
})
