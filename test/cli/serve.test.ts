import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/engines.ts'
import { followEvents } from '../support/event-stream.ts'
import { run, startService } from '../support/service.ts'
import { createInFlight, untilPortIsClosed } from '../support/stopping.ts'
import { until } from '../support/until.ts'
import { assertPassed } from '../support/promised-time.ts'
import { animals, ask, assertRefused, filesWith, logOf, rex, takenPort } from '../support/running-service.ts'

const curl = spawnSync('curl', ['--version']).error === undefined

// To start the service takes longer than to ask it: these are about one life of it, and the next.
test('the first start, its end and the second start', async (t) => {
  const before = Date.now()
  const service = await startService(t)
  const { output, key } = service

  await t.test('it prints the address, the reference and a key that works', async () => {
    const reference = /Reference +(\S+)/.exec(output.stdout)?.[1] ?? ''
    assert.match(service.origin, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.match(key, /^pet_live_[0-9A-Za-z]{38}$/)
    assert.equal((await fetch(reference)).status, 200)
    assert.equal((await ask(service)).status, 200)
    assert.equal((await fetch(`${service.origin}/v1/pets`)).status, 401)
  })

  await t.test('its first key is an admin key', async () => {
    const [first] = (await (await ask(service, '/v1/keys')).json()) as { permission: string }[]
    assert.equal(first?.permission, 'admin')
  })

  await t.test('without --demo there are no animals', async () => {
    assert.doesNotMatch(output.stdout, /demo/)
    assert.deepEqual(await animals(service), [])
  })

  const noCurl = curl ? false : 'NOT TESTED: there is no curl on this machine'
  await t.test('it prints two curl lines that work as they are', { skip: noCurl }, async () => {
    const lines = output.stdout.split('\n').flatMap((line) => /^ +(curl .*)$/.exec(line)?.[1] ?? [])
    const answers: string[] = []
    for (const line of lines) answers.push((await promisify(execFile)('sh', ['-c', line])).stdout)

    assert.deepEqual(answers, ['[]', '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'])
  })

  await t.test('metrics are on the main port and ask for a key', async () => {
    const withKey = await ask(service, '/metrics')
    const withoutKey = await fetch(`${service.origin}/metrics`)

    assert.equal(withKey.status, 200)
    assert.match(await withKey.text(), /^petstore_http_request_duration_seconds_count/m)
    assert.equal(withoutKey.status, 401)
  })

  await t.test('metrics count streams of events by themselves, not among the durations of requests', async () => {
    const stream = await followEvents(t, service)
    const metrics = async () => (await ask(service, '/metrics')).text()

    assert.match(await metrics(), /^petstore_event_streams 1$/m)
    stream.leave()
    await until(async () => /^petstore_event_streams 0$/m.test(await metrics()))

    const text = await metrics()
    assert.match(text, /^petstore_event_streams_ended_total\{reason="left"\} 1$/m)
    assert.doesNotMatch(text, /^petstore_http_request_duration_seconds_count\{.*events/m)
  })

  await ask(service, '/v1/pets?limit=5', { headers: { 'x-request-id': 'from-the-test' } })
  await fetch(`${service.origin}/v1/pets`, { headers: { 'x-request-id': 'without-a-key' } })
  const stored = (await animals(service)) as { id: number }[]

  await t.test('its key is in no file of the data folder', () => {
    assert.ok(readdirSync(join(service.cwd, 'data')).includes('petstore.db'))
    assert.deepEqual(filesWith(service.cwd, key), [])
  })

  await service.stop()

  await t.test('every request is one JSON line of the log, with its id and the id of its key', () => {
    const lines = logOf(service)

    const [withKey, ...more] = lines.filter(({ requestId }) => requestId === 'from-the-test')
    const withoutKey = lines.find(({ requestId }) => requestId === 'without-a-key')
    assert.deepEqual(more, [])
    assert.match(String(withKey?.['keyId']), /^key_/)
    assert.deepEqual([withKey?.['method'], withKey?.['path'], withKey?.['status']], ['GET', '/v1/pets', 200])
    assert.ok(!Number.isNaN(Date.parse(String(withKey?.['time']))))
    assert.deepEqual([withoutKey?.['status'], withoutKey?.['keyId']], [401, undefined])
  })

  await t.test('it printed its key once, and the log never has it', () => {
    assert.equal(output.stdout.split('\n').filter((line) => line.trim() === key).length, 1)
    assert.ok(!output.stderr.includes(key))
  })

  await t.test('once stopped it leaves one file in its data folder', () => {
    assert.deepEqual(readdirSync(join(service.cwd, 'data')), ['petstore.db'])
  })

  await t.test('once stopped it has written down when its key was last used', async () => {
    const { stdout } = await run(t, ['keys', 'list', '--json'], { cwd: service.cwd })

    const [used] = JSON.parse(stdout) as { lastUsedAt?: string }[]
    assert.ok(Date.parse(used?.lastUsedAt ?? '') >= before)
  })

  const second = await startService(t, { cwd: service.cwd })

  await t.test('the second start prints no key, says how to make another, and takes the key of the first', async () => {
    assert.equal(second.key, '')
    assert.match(second.output.stdout, /keys -- create --name/)
    assert.equal((await ask({ ...second, key })).status, 200)
  })

  await t.test('animals are still there after a restart', async () => {
    assert.equal(stored.length, curl ? 1 : 0)
    assert.deepEqual(await animals({ ...second, key }), stored)
  })
})

test('a taken port is refused by the name of its setting', async (t) => {
  const port = await takenPort(t)

  const ran = await run(t, ['serve'], { env: { PETSTORE_PORT: port } })

  assertRefused(ran, new RegExp(`^petstore: Port ${port} .* taken .*PETSTORE_PORT`))
})

test('a database folder that cannot be made is refused', async (t) => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'file'), '')

  const ran = await run(t, ['serve'], {
    cwd,
    env: { PETSTORE_PORT: '0', PETSTORE_DATABASE_URL: 'sqlite:./file/below/petstore.db' },
  })

  assertRefused(ran, /^petstore: The folder .*file\/below .*cannot be made/)
})

test('a database of a newer version is refused', async (t) => {
  const cwd = temporaryFolder(t)
  const env = { PETSTORE_PORT: '0', PETSTORE_DATABASE_URL: 'sqlite:./petstore.db' }
  await run(t, ['migrate'], { cwd, env })
  const db = new DatabaseSync(join(cwd, 'petstore.db'))
  db.exec('PRAGMA user_version = 999')
  db.close()

  const ran = await run(t, ['serve'], { cwd, env })

  assertRefused(ran, /^petstore: The database .*newer version.*schema 999/)
})

// config.test.ts has the rules of all settings. An address of no machine is found out only by listening.
for (const [variable, text] of Object.entries({ PETSTORE_HOST: '256.256.256.256', PETSTORE_PORT: 'x' })) {
  test(`serve refuses ${variable}=${text} in one sentence that names it`, async (t) => {
    const ran = await run(t, ['serve'], { env: { PETSTORE_PORT: '0', [variable]: text } })

    assertRefused(ran, new RegExp(`^petstore: ${variable} must be `))
  })
}

test('settings are read from .env in the working folder, and the environment wins over it', async (t) => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, '.env'), 'PETSTORE_ENVIRONMENT=staging\nPETSTORE_DATABASE_URL="sqlite:./from-file.db"\n')

  const service = await startService(t, { cwd, env: { PETSTORE_DATABASE_URL: 'sqlite:./from-environment.db' } })

  assert.match(service.key, /^pet_test_/)
  assert.equal((await ask(service)).status, 200)
  assert.ok(existsSync(join(cwd, 'from-environment.db')))
  assert.ok(!existsSync(join(cwd, 'from-file.db')))
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} lets a create in flight get its 201, and ends with code 0 within 2 seconds, despite an idle connection`, async (t) => {
    const service = await startService(t)
    const agent = new Agent({ keepAlive: true })
    t.after(() => agent.destroy())
    const [response] = await once(get(`${service.origin}/livez`, { agent }), 'response')
    await response.resume().toArray()
    const databaseFile = join(service.cwd, 'data', 'petstore.db')
    const { answer, finish } = await createInFlight(t, { ...service, databaseFile })

    const start = performance.now()
    const stopping = service.stop(signal)
    await untilPortIsClosed(service.origin)
    finish()

    assert.deepEqual(await answer(), {
      status: 201,
      text: '{"id":1,"name":"Rex","categoryId":1,"status":"available"}',
    })
    assert.equal(await stopping, 0)
    assertPassed(2_000, start)
    assert.equal(countPets(databaseFile), 1)
  })
}

test('while it drains, a service is not ready but answers, until a second signal ends it', async (t) => {
  const service = await startService(t, { env: { PETSTORE_DRAIN_SECONDS: '60' } })
  // Twice, so that the response cache has the list.
  await ask(service)
  await ask(service)

  const stopping = service.stop()
  await until(async () => (await fetch(`${service.origin}/readyz`)).status === 503)
  const answers = [await ask(service), await ask(service, '/v1/pets', { method: 'POST', body: rex })]
  // A signal that follows faster belongs to the same key press.
  await wait(250)
  const start = performance.now()
  service.child.kill('SIGTERM')
  await stopping

  assertPassed(2_000, start)
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('connection')]),
    [
      [200, 'close'],
      [201, 'close'],
    ],
  )
})

test('PETSTORE_METRICS_ADDRESS serves metrics there without a key, nothing else, and not on the main port', async (t) => {
  const service = await startService(t, { env: { PETSTORE_METRICS_ADDRESS: '127.0.0.1:0' } })
  await ask(service)

  const url = /Metrics +(\S+)/.exec(service.output.stdout)?.[1] ?? ''
  const metrics = await fetch(url)
  const other = await fetch(new URL('/other', url))
  const onMainPort = await ask(service, '/metrics')

  assert.equal(metrics.status, 200)
  assert.match(await metrics.text(), /^petstore_http_request_duration_seconds_count\{.*route="\/v1\/pets".*\} 1$/m)
  assert.equal(onMainPort.status, 404)
  assert.equal(other.headers.get('content-type'), 'application/json')
  assert.deepEqual(await other.json(), {
    code: 'not_found',
    message: 'This port serves only GET /metrics.',
    status: 404,
  })
})

function countPets(databaseFile: string): unknown {
  const db = new DatabaseSync(databaseFile)
  try {
    return db.prepare('SELECT count(*) AS n FROM pets').get()?.['n']
  } finally {
    db.close()
  }
}
