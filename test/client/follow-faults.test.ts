import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PetStore, type RetryInfo, type ShopEvent, UnexpectedResponseError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { htmlAnswer, unavailable } from '../support/made-up-answers.ts'
import { unlessStalled } from '../support/promised-time.ts'
import { type Conversation, streamingServer } from '../support/streaming-server.ts'

const rex = { name: 'Rex', categoryId: 1 }

test('an error in onConnection or onRetry neither ends follow nor leaks its connection', async (t) => {
  const reported = t.mock.method(console, 'error', () => undefined)
  const { petstore, proxy, service } = await startClient(t)
  await service.create(rex)
  const fail = () => {
    throw new Error('A fault of the caller.')
  }
  const events = petstore.events.follow({ after: 0, onConnection: fail, onRetry: fail })

  await events.next()
  proxy.cut()
  await service.create(rex)

  assert.equal(Number((await events.next()).value?.sequence), 2)
  await events.return()
  await proxy.untilClosed()
  assert.ok(reported.mock.callCount() >= 4)
})

test('follow tells each failure, its number and the next delay', async (t) => {
  const ofClient: RetryInfo[] = []
  const ofCall: RetryInfo[] = []
  const { petstore, proxy, service } = await startClient(t, { onRetry: (retry) => ofClient.push(retry) })
  await service.create(rex)
  const events = petstore.events.follow({ after: 0, onRetry: (retry) => ofCall.push(retry) })
  await events.next()

  proxy.next(unavailable, htmlAnswer(403))
  proxy.cut()
  await service.create(rex)
  await events.next()
  await events.return()

  assert.deepEqual(
    ofCall.map(({ error: { name }, attempt, operation }) => [name, attempt, operation]),
    [
      ['ConnectionError', 1, 'listEvents'],
      ['PetStoreError', 2, 'listEvents'],
      ['UnexpectedResponseError', 3, 'listEvents'],
    ],
  )
  assert.ok(ofCall.every(({ delayMs }) => delayMs >= 0))
  assert.deepEqual(ofClient, ofCall)
})

test("a gateway's refusals end follow once they have lasted for totalTimeoutMs", (t) =>
  unlessStalled(25, async () => {
    const { petstore, proxy, service } = await startClient(t, { retry: { totalTimeoutMs: 100, maxDelayMs: 2 } })
    await service.create(rex)
    const events = petstore.events.follow({ after: 0 })
    await events.next()

    proxy.next(...Array.from({ length: 10_000 }, () => htmlAnswer(403)))
    proxy.cut()

    await assert.rejects(events.next(), (error) => error instanceof UnexpectedResponseError && error.status === 403)
    assert.ok(proxy.requests.length > 3)
  }))

test('a repeated event is not yielded again', async (t) => {
  const petstore = await follower(t, ({ response }) => response.write(frame(7) + frame(7) + frame(6) + frame(8)))

  assert.deepEqual(await idsOf(petstore, 2), ['7', '8'])
})

test('a stream with a gap is read again from there', async (t) => {
  const petstore = await follower(t, ({ count, response }) => response.write(frame(7 + count - 1) + frame(9)))

  assert.deepEqual(await idsOf(petstore, 3), ['7', '8', '9'])
})

test('a gap that stays ends follow', async (t) => {
  const petstore = await follower(t, ({ response }) => response.write(frame(7) + frame(9)))

  await assert.rejects(idsOf(petstore, 2), /UnexpectedResponseError: .* no event after 7/)
})

test('an event whose sequence is no number ends follow', async (t) => {
  const petstore = await follower(t, ({ response }) => response.write(frame(7) + frame('first') + frame(7)))

  await assert.rejects(idsOf(petstore, 2), /UnexpectedResponseError: .* an event that cannot be read/)
})

test('an aborted follow reports no retry', async (t) => {
  const retries: RetryInfo[] = []
  const { petstore } = await startClient(t, { onRetry: (retry) => retries.push(retry) })
  const aborter = new AbortController()
  const onConnection = (isConnected: boolean) => isConnected && setImmediate(() => aborter.abort('enough'))
  const onRetry = (retry: RetryInfo) => retries.push(retry)
  const events = petstore.events.follow({ signal: aborter.signal, onConnection, onRetry })

  await assert.rejects(events.next(), (reason) => reason === 'enough')

  assert.deepEqual(retries, [])
})

for (const body of [null, undefined]) {
  test(`a response whose body is ${body} ends follow and export with an error`, async () => {
    const headers = new Headers({ 'content-type': 'text/event-stream' })
    const petstore = new PetStore({
      baseUrl: 'http://shop.example/v1',
      apiKey: 'key',
      fetch: async (url) => {
        if (url.includes('export')) headers.set('content-type', 'text/csv')
        return { ok: true, status: 200, headers, body, text: async () => '' }
      },
    })

    await assert.rejects(petstore.events.follow().next(), /has no body/)
    await assert.rejects(petstore.pets.export().next(), /has no body/)
  })
}

async function idsOf(petstore: PetStore, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of petstore.events.follow({ after: 6 }) as AsyncIterable<ShopEvent>) {
    if (ids.push(id) === count) break
  }
  return ids
}

async function follower(t: TestContext, answer: (conversation: Conversation) => void): Promise<PetStore> {
  const { origin } = await streamingServer(t, answer)
  return new PetStore({ baseUrl: `${origin}/v1`, apiKey: 'key', retry: { baseDelayMs: 1, maxDelayMs: 2 } })
}

function frame(id: number | string): string {
  const event = {
    specversion: '1.0',
    id: String(id),
    source: 'http://shop.example/v1',
    type: 'petstore.pet.created',
    subject: 'pets/1',
    time: '2026-11-15T09:30:00Z',
    datacontenttype: 'application/json',
    sequence: String(id).padStart(19, '0'),
    data: { id: 1, name: 'Rex', categoryId: 1 },
  }
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`
}
