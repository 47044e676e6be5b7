import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type EndpointState, newState } from '../../src/webhooks/endpoint-state.ts'
import type { Phase } from '../../src/webhooks/phase.ts'
import { retryTimer } from '../../src/webhooks/retry-timer.ts'

const endpoint = {
  url: 'https://shop.example/',
  format: 'json',
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: 1,
} as const
const now = 1_000_000

/** A timer for endpoints, each with its phase and the time of its next try, if it has one. */
function timerOf(t: TestContext, ...endpoints: [phase: Phase, nextAttemptAt?: number][]) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const retried = { times: 0 }
  const states = new Map<bigint, EndpointState>(
    endpoints.map(([phase, nextAttemptAt], index) => {
      const id = BigInt(index)
      return [id, { ...newState({ ...endpoint, id }, undefined, 0n), phase, nextAttemptAt }]
    }),
  )
  const timer = retryTimer(
    states,
    () => now,
    () => retried.times++,
  )
  return { timer, retried }
}

/** After how many milliseconds it is retried, if within two minutes. */
function firesAfter(t: TestContext, retried: { times: number }): number | undefined {
  for (let ms = 0; ms <= 120_000; ms += 1_000) {
    t.mock.timers.tick(ms === 0 ? 0 : 1_000)
    if (retried.times > 0) return ms
  }
  return undefined
}

for (const [name, endpoints, expected] of [
  [
    'the earliest endpoint that waits',
    [
      ['waiting', now + 9_000],
      ['waiting', now + 5_000],
      ['waiting', now + 7_000],
    ],
    5_000,
  ],
  ['nothing while none waits', [['ready', now + 5_000], ['idle']], undefined],
  [
    'one that waits, not for one that is sent an event',
    [
      ['sending', now + 1_000],
      ['waiting', now + 5_000],
    ],
    5_000,
  ],
  ['no time if it is over', [['waiting', now - 5_000]], 0],
  ['no time if there is none', [['waiting']], 0],
  ['a minute at most, in case somebody sets the clock', [['waiting', now + 90_000]], 60_000],
] satisfies [string, [Phase, number?][], number | undefined][]) {
  test(`the timer waits for ${name}`, (t) => {
    const { timer, retried } = timerOf(t, ...endpoints)

    timer.set()

    assert.equal(firesAfter(t, retried), expected)
  })
}

test('a timer that is set anew fires once, and one that was stopped never, also if it is set again', (t) => {
  const { timer, retried } = timerOf(t, ['waiting', now + 5_000])

  timer.set()
  timer.set()
  t.mock.timers.tick(10_000)
  assert.equal(retried.times, 1)
  timer.set()
  timer.stop()
  t.mock.timers.tick(10_000)
  timer.set()
  t.mock.timers.tick(10_000)

  assert.equal(retried.times, 1)
})
