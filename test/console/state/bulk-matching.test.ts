import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { connect, disconnect } from '../../../console/api/service.ts'
import { continueRun, type MatchingRun, newRun } from '../../../console/state/bulk-matching.ts'

interface Call {
  key: string | null
  cursor: string | undefined
}

/** Signs in to a service that changes 10 animals in each call and always has more. Returns the calls. */
function signIn(t: TestContext, failing: number): Call[] {
  const calls: Call[] = []
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.method(globalThis, 'fetch', async (_url: string, init: { headers: Record<string, string>; body: string }) => {
    const { cursor } = JSON.parse(init.body) as { cursor?: string }
    calls.push({ key: new Headers(init.headers).get('idempotency-key'), cursor })
    const refusal = { code: 'invalid_body', message: 'No.', status: 400 }
    if (calls.length === failing) return Response.json(refusal, { status: 400 })
    return Response.json({ changed: 10, unchanged: 1, refused: 0, refusals: [], next: `after ${cursor ?? 'nothing'}` })
  })
  connect('key', () => undefined)
  t.after(disconnect)
  return calls
}

test('a change of all that match stops between two calls', async (t) => {
  const calls = signIn(t, 0)
  let last: MatchingRun = newRun({ status: 'sold' }, 'delete')

  await continueRun(
    last,
    (run) => (last = run),
    () => calls.length === 3,
  )

  assert.deepEqual([last.changed, last.unchanged, last.isDone], [30, 3, false])
})

test('after a failure it goes on with the same call and the same idempotency key', async (t) => {
  const calls = signIn(t, 2)
  let last: MatchingRun = newRun({ status: 'sold' }, { status: 'pending' })
  const go = () =>
    continueRun(
      last,
      (run) => (last = run),
      () => calls.length === 3,
    )

  await assert.rejects(go())
  await go()

  assert.deepEqual(calls[2], calls[1])
  assert.notEqual(calls[1]?.key, calls[0]?.key)
  assert.equal(calls[1]?.cursor, 'after nothing')
  assert.equal(last.changed, 20)
})
