import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseIn, type Service, startService } from '../../support/service.ts'
import { followEvents, numberOf } from '../../support/event-stream.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { assertPassed } from '../../support/promised-time.ts'

const key = 'a-key-that-all-processes-share'
const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'silent' }
const workers = ['--workers', '2']

/** By a connection of its own, so that requests meet all workers. */
function ask({ origin }: Service, method: string, path: string, body?: object): Promise<Response> {
  return fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, connection: 'close', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function assertSoldOnce(services: readonly Service[]): Promise<void> {
  const [first] = services as [Service]
  await ask(first, 'POST', '/v1/pets', { name: 'Rex', categoryId: 1, status: 'available' })

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      ask(services[index % services.length] as Service, 'POST', '/v1/store/orders', { petId: 1 }),
    ),
  )

  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 199)
  for (const service of services) {
    const orders = (await (await ask(service, 'GET', '/v1/store/orders')).json()) as unknown[]
    assert.equal(orders.length, 1)
  }
}

test('200 clients of two processes on one file order one animal, and one of them gets it', async (t) => {
  const PETSTORE_DATABASE_URL = databaseIn(temporaryFolder(t))
  const services = await Promise.all([1, 2].map(() => startService(t, { env: { ...env, PETSTORE_DATABASE_URL } })))

  await assertSoldOnce(services)
})

test('200 clients of two workers order one animal, and one of them gets it', async (t) => {
  const service = await startService(t, { env, args: workers })

  await assertSoldOnce([service])
})

test('every stream is told of every event, whichever worker wrote and whichever sends', async (t) => {
  const service = await startService(t, { env, args: workers })
  const streams = await Promise.all(Array.from({ length: 12 }, () => followEvents(t, { ...service, key })))

  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      ask(service, 'POST', '/v1/pets', { name: `animal ${index}`, categoryId: 1 }),
    ),
  )
  await Promise.all(streams.map((stream) => stream.until(() => stream.events.length === 20)))

  const expected = Array.from({ length: 20 }, (_, index) => String(index + 1))
  for (const stream of streams) assert.deepEqual(stream.events.map(numberOf), expected)
})

test('a stream of one process is told of what another one wrote to the same file', async (t) => {
  const PETSTORE_DATABASE_URL = databaseIn(temporaryFolder(t))
  const [one, two] = (await Promise.all(
    [1, 2].map(() => startService(t, { env: { ...env, PETSTORE_DATABASE_URL } })),
  )) as [Service, Service]
  const stream = await followEvents(t, { ...one, key })

  await ask(two, 'POST', '/v1/pets', { name: 'Rex', categoryId: 1 })
  await stream.until(() => stream.events.length === 1)

  assert.equal(stream.events[0]?.type, 'petstore.pet.created')
})

for (const [name, args] of [
  ['one process', []],
  ['two workers', workers],
] as const) {
  test(`SIGTERM ends the streams of ${name} properly, with exit code 0 within 2 seconds`, async (t) => {
    const service = await startService(t, { env, args: [...args] })
    const streams = await Promise.all(Array.from({ length: 5 }, () => followEvents(t, { ...service, key })))

    const started = performance.now()
    const code = await service.stop()

    assert.equal(code, 0)
    assertPassed(2_000, started)
    for (const stream of streams) assert.equal(await stream.ended, true)
  })
}

test('a client goes on where it was after a restart', async (t) => {
  const cwd = temporaryFolder(t)
  const before = await startService(t, { env, cwd })
  const stream = await followEvents(t, { ...before, key })
  await ask(before, 'POST', '/v1/pets', { name: 'Rex', categoryId: 1 })
  await stream.until(() => stream.events.length === 1)
  await before.stop()

  const after = await startService(t, { env, cwd })
  await ask(after, 'DELETE', '/v1/pets/1')
  const again = await followEvents(t, { ...after, key, headers: { 'last-event-id': '1' } })
  await again.until(() => again.events.length === 1)

  assert.equal(again.events[0]?.type, 'petstore.pet.deleted')
})

test('PETSTORE_STABILITY=stable leaves the operations that the contract names', async (t) => {
  const service = await startService(t, { env: { ...env, PETSTORE_STABILITY: 'stable' } })

  const { paths } = (await (await ask(service, 'GET', '/openapi.json')).json()) as { paths: Record<string, object> }

  assert.deepEqual(
    Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)]),
    [
      ['/pets', ['get', 'post']],
      ['/pets/{petId}', ['get']],
      ['/store/orders', ['get']],
    ],
  )
  assert.equal((await ask(service, 'GET', '/v1/events')).status, 404)
  assert.equal((await ask(service, 'PATCH', '/v1/pets/1', {})).status, 405)
})
