import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OperationId, operations } from '../../client/src/contract.ts'
import { type Failure, failureOf, isGuarded, mayHaveSucceeded, mayRetry } from '../../client/src/retry-rules.ts'

for (const [status, hasRetryAfter, expected] of [
  [429, false, 'deferred'],
  [429, true, 'deferred'],
  [408, false, 'deferred'],
  [425, false, 'deferred'],
  // A request with the same Idempotency-Key is still in flight; the service asks only then to come back.
  [409, true, 'deferred'],
  [409, false, 'refused'],
  [400, false, 'refused'],
  [401, true, 'refused'],
  [404, false, 'refused'],
  [410, false, 'refused'],
  [412, false, 'refused'],
  // Of the service, it may come after a commit whose outcome is unknown, with Retry-After or without.
  [503, true, 'lost'],
  [503, false, 'lost'],
  [502, false, 'lost'],
  [504, true, 'lost'],
  [520, false, 'lost'],
  [529, false, 'lost'],
  [530, false, 'broken'],
  [505, false, 'broken'],
  [500, false, 'broken'],
  [501, false, 'broken'],
  [302, false, 'broken'],
  // A redirect as a browser shows it.
  [0, false, 'broken'],
] as const) {
  test(`${status} ${hasRetryAfter ? 'with' : 'without'} Retry-After is ${expected}`, () => {
    assert.equal(failureOf(status, hasRetryAfter), expected)
  })
}

const overwriting: OperationId[] = ['updatePet', 'updateOrder', 'putCategory', 'deleteCategory', 'updateWebhook']
/** Twice is more than once, and no precondition says so. */
const unguarded: OperationId[] = [
  'createKey',
  'rotateKey',
  'updateKey',
  'createInvitation',
  'redeemInvitation',
  'createWebhook',
  'rotateWebhook',
  'resendDelivery',
  'testWebhook',
]
const repeatable = (Object.keys(operations) as OperationId[]).flatMap((id) =>
  overwriting.includes(id) || unguarded.includes(id) ? [] : [id],
)

for (const [failure, isUncertain, retriesRepeatable, retriesOverwriting] of [
  ['unreached', false, true, true],
  ['untrusted', false, false, false],
  ['deferred', false, true, true],
  ['refused', false, false, false],
  ['lost', true, true, false],
  ['broken', true, false, false],
] as const satisfies [Failure, boolean, boolean, boolean][]) {
  test(`after "${failure}" a write ${isUncertain ? 'may have succeeded' : 'did nothing'}`, () => {
    assert.equal(mayHaveSucceeded(failure), isUncertain)
  })

  for (const id of repeatable) {
    test(`after "${failure}" ${id} is ${retriesRepeatable ? '' : 'not '}sent again`, () => {
      assert.equal(mayRetry(failure, id, false), retriesRepeatable)
    })
  }

  for (const id of unguarded) {
    test(`after "${failure}" ${id} is ${retriesOverwriting ? '' : 'not '}sent again`, () => {
      assert.equal(mayRetry(failure, id, true), retriesOverwriting)
    })
  }

  for (const id of overwriting) {
    test(`after "${failure}" ${id} is ${retriesOverwriting ? '' : 'not '}sent again, guarded as others are`, () => {
      assert.equal(mayRetry(failure, id, false), retriesOverwriting)
      assert.equal(mayRetry(failure, id, true), retriesRepeatable)
    })
  }
}

for (const [headers, expected] of [
  [{}, false],
  [{ 'if-match': '"a"' }, true],
  // It holds for whatever somebody else wrote after the first attempt.
  [{ 'if-match': '*' }, false],
  [{ 'if-none-match': '*' }, true],
] as const) {
  test(`${JSON.stringify(headers)} ${expected ? 'guards' : 'does not guard'} a change against a second attempt`, () => {
    assert.equal(isGuarded(new Headers(headers)), expected)
  })
}
