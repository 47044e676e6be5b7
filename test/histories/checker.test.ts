import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from './check.ts'
import { falsifications, staleRead } from './falsifications.ts'
import { otherFalsifications } from './falsify-others.ts'
import { type Ask, type Call, type History, keyOf } from './history.ts'
import { checkRevoked } from './keys.ts'
import { linearize, type Model, type Span } from './linearizable.ts'
import { randomFrom } from './random.ts'
import { saysNothing } from './send.ts'
import { smallest } from './shrink.ts'
import { simulate } from './simulate.ts'

type Operation = { write: number } | { read: number }

const register: Model<number, Operation> = {
  initial: 0,
  isRegister: true,
  keyOf: String,
  step: (state, operation) => ('write' in operation ? operation.write : operation.read === state ? state : undefined),
}

/** Written as `start-end what`, such as `1-4 w1` and `2-3 r0`; a write without an end is a maybe. */
function spansOf(text: string): Span<Operation>[] {
  return text.split(', ').map((part) => {
    const [, invoked, returned, kind, value] = /^(\d+)-(\d*) ([rw])(\d+)$/.exec(part) as RegExpExecArray
    const operation = kind === 'w' ? { write: Number(value) } : { read: Number(value) }
    return { operation, invoked: Number(invoked), returned: Number(returned || Infinity), isMaybe: returned === '' }
  })
}

for (const [text, fits] of [
  ['1-2 w1, 3-4 r1', true],
  ['1-2 w1, 3-4 r0', false],
  ['1-4 w1, 2-3 r0', true],
  ['1-4 w1, 2-3 r1', true],
  ['1-6 w1, 2-3 r1, 4-5 r0', false],
  ['1-6 w1, 2-3 r0, 4-5 r1', true],
  ['1-2 w1, 3-4 w2, 5-6 r1', false],
  ['1-4 w1, 2-3 w2, 5-6 r1', true],
  ['1-4 w1, 2-3 w2, 5-6 r1, 7-8 r2', false],
  ['1- w1, 2-3 r0, 4-5 r1', true],
  ['1- w1, 2-3 r1, 4-5 r0', false],
  ['1- w1, 2-3 r0', true],
  ['1- w1, 2-3 w2, 4-5 r2, 6-7 r1, 8-9 r2', false],
] as const) {
  test(`one register, ${text}: ${fits ? 'there is an order' : 'there is none'}`, () => {
    const order = linearize(spansOf(text), register)

    assert.equal(order !== undefined, fits)
  })
}

const simulated = new Map<number, History>()

/** Made once: nobody changes it. */
function rightHistory(seed: number): History {
  const history = simulated.get(seed) ?? simulate(seed)
  simulated.set(seed, history)
  return history
}

test('a register with a hundred writes of which nobody heard is judged at once', () => {
  const maybes = Array.from({ length: 100 }, (_, index) => `${index + 1}- w${index + 1000}`)
  const reads = Array.from(
    { length: 100 },
    (_, index) => `${200 + 2 * index}-${201 + 2 * index} r${index % 2 === 0 ? 0 : 1}`,
  )

  assert.equal(
    linearize(spansOf([...maybes, '1-150 w0', ...reads.slice(0, 1)].join(', ')), register) !== undefined,
    true,
  )
  assert.equal(linearize(spansOf([...maybes, ...reads].join(', ')), register), undefined)
})

test('100 histories of a right shop, with lost answers, fit one story', () => {
  for (let seed = 1; seed <= 100; seed++) assert.deepEqual(check(rightHistory(seed)), [], `seed ${seed}`)
})

/** What is shown of a history is enough to see that it is wrong. */
const noState = 'an answer is true of no state'

function isFound(rule: string, history: History): boolean {
  return check(history).some((anomaly) => anomaly.rule === rule)
}

for (const [what, falsify] of Object.entries({ ...falsifications, ...otherFalsifications })) {
  test(`a falsified history is found: ${what}`, () => {
    let tried = 0
    for (let seed = 1; seed <= 400 && tried < 20; seed++) {
      const falsified = falsify(rightHistory(seed), randomFrom(seed))
      if (falsified === undefined) continue
      tried++
      const anomalies = check(falsified)
      assert.notDeepEqual(anomalies, [], `seed ${seed}`)
      // What was told to the first request with a key is not among what is shown.
      const shown = anomalies.filter(({ rule, calls }) => rule.startsWith(noState) && !calls.some(keyOf))
      for (const { rule, calls } of shown.slice(0, 2))
        assert.ok(
          isFound(rule, { ...falsified, calls, told: [] }),
          `seed ${seed}: ${rule}, but its calls do not show it`,
        )
    }
    assert.ok(tried >= 10, `${tried} histories`)
  })
}

test('a write that the service took for late was not carried out', () => {
  const late = saysNothing(408, '{"code":"request_timeout"}')

  assert.deepEqual(late, { isMaybe: false })
})

for (const [afterMs, found] of [
  [900, 0],
  [1_100, 1],
] as const) {
  test(`a key that works ${afterMs} ms after it was revoked is ${found === 0 ? 'no anomaly' : 'an anomaly'}`, () => {
    const call = (ask: Ask, invokedMs: number, returnedMs: number): Call => ({
      id: ask.kind,
      client: 0,
      ask,
      invoked: invokedMs,
      invokedMs,
      returned: returnedMs,
      returnedMs,
      answer: { status: 200, body: {} },
      isMaybe: false,
    })
    const revoked = call({ kind: 'revokeKey', keyId: 'key_1' }, 0, 100)
    const used = call({ kind: 'useKey', keyId: 'key_1', secret: 's' }, 100 + afterMs, 5_000)

    assert.equal(checkRevoked([revoked, used]).length, found)
  })
}

test('a read may be as late as a replica, and no later', () => {
  let tried = 0
  for (let seed = 1; seed <= 100; seed++) {
    const late = staleRead(rightHistory(seed), randomFrom(seed))
    if (late === undefined) continue
    tried++
    // The simulated clock has whole numbers: everything is within so many.
    assert.deepEqual(check({ ...late, lagMs: 100_000 }), [], `seed ${seed}`)
    assert.notDeepEqual(check({ ...late, lagMs: 1 }), [], `seed ${seed}`)
  }
  assert.ok(tried >= 20, `${tried} histories`)
})

test('the smallest history ends early and has no read that it does not need', () => {
  const spans = spansOf('1-2 w1, 3-4 r1, 5-6 w2, 7-8 r2, 9-10 r1, 11-12 r2, 13-14 w3')

  const shown = smallest(spans, register, ({ operation }) => 'read' in operation)

  assert.deepEqual(shown, spansOf('1-2 w1, 5-6 w2, 9-10 r1'))
})
