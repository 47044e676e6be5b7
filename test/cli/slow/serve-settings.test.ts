import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryFolder } from '../../support/engines.ts'
import { run, startService } from '../../support/service.ts'
import { animals, ask, assertRefused, filesWith, logOf, rex, takenPort } from '../../support/running-service.ts'

const ownKey = 'a-key-of-the-operators-own'

test('serve --demo fills an empty shop with ten animals, says so, and leaves a shop that has animals as it is', async (t) => {
  const first = await startService(t, { args: ['--demo'] })
  assert.match(first.output.stdout, /Added 10 demo animals\./)
  assert.equal((await animals(first)).length, 10)
  await first.stop()

  const second = await startService(t, { cwd: first.cwd, args: ['--demo'] })

  assert.match(second.output.stdout, /The shop has animals already: --demo added none\./)
  assert.equal((await animals({ ...second, key: first.key })).length, 10)
})

test('a start that fails for a taken port does not use up the first key', async (t) => {
  const cwd = temporaryFolder(t)
  await run(t, ['serve'], { cwd, env: { PETSTORE_PORT: await takenPort(t) } })

  const service = await startService(t, { cwd })

  assert.match(service.key, /^pet_live_/)
})

test('a taken metrics port is refused by the name of its setting', async (t) => {
  const port = await takenPort(t)

  const ran = await run(t, ['serve'], { env: { PETSTORE_PORT: '0', PETSTORE_METRICS_ADDRESS: `127.0.0.1:${port}` } })

  assertRefused(ran, new RegExp(`^petstore: Port ${port} .* taken .*PETSTORE_METRICS_ADDRESS`))
})

test('a staging deployment makes keys that start with pet_test_ and takes no others', async (t) => {
  const production = await startService(t)
  const staging = await startService(t, { env: { PETSTORE_ENVIRONMENT: 'staging' } })

  assert.match(production.key, /^pet_live_/)
  assert.match(staging.key, /^pet_test_/)
  assert.equal((await ask(staging)).status, 200)
  assert.equal((await ask({ ...staging, key: production.key })).status, 401)
})

test('PETSTORE_API_KEY is an admin key from the start, and is in no file and not in the output', async (t) => {
  const service = await startService(t, { env: { PETSTORE_API_KEY: ownKey, PETSTORE_LOG_LEVEL: 'debug' } })
  const withOwn = { ...service, key: ownKey }

  const created = await ask(withOwn, '/v1/pets', { method: 'POST', body: rex, headers: { 'idempotency-key': 'once' } })
  const read = await ask(withOwn)
  const keys = await ask(withOwn, '/v1/keys')
  const whileRunning = filesWith(service.cwd, ownKey)
  await service.stop()

  assert.deepEqual([created.status, read.status, keys.status], [201, 200, 200])
  assert.deepEqual(await keys.json(), [], 'it is not stored')
  assert.equal(service.key, '', 'no other key is printed')
  assert.deepEqual(whileRunning, [])
  assert.deepEqual(filesWith(service.cwd, ownKey), [])
  assert.ok(!`${service.output.stdout}${service.output.stderr}`.includes(ownKey))
})

test('the log never has a key that was sent in a path, in a query or as the id of a request', async (t) => {
  const service = await startService(t, { env: { PETSTORE_LOG_LEVEL: 'debug' } })
  const paths = ['/v1/pets?key=KEY', '/v1/KEY', '/KEY', '/v1/%zzKEY', '/v1/KEY%20', '/v1/pets/KEY/KEY']
  for (const path of paths) await ask(service, path.replaceAll('KEY', service.key))
  await ask(service, '/v1/pets', { headers: { 'x-request-id': service.key } })
  await service.stop()

  assert.equal(logOf(service).length, paths.length + 1)
  assert.ok(!service.output.stderr.includes(service.key))
})

test('sqlite::memory: serves and leaves no file behind, and PETSTORE_LOG_LEVEL=silent logs nothing', async (t) => {
  const env = { PETSTORE_DATABASE_URL: 'sqlite::memory:', PETSTORE_LOG_LEVEL: 'silent' }
  const service = await startService(t, { env })

  const created = await ask(service, '/v1/pets', { method: 'POST', body: rex })
  const found = await animals(service)
  const code = await service.stop()

  assert.equal(created.status, 201)
  assert.equal(found.length, 1)
  assert.equal(code, 0)
  assert.deepEqual(readdirSync(service.cwd), [])
  assert.equal(service.output.stderr, '')
})

test('PETSTORE_DRAIN_SECONDS is how long a service that was told to stop goes on', async (t) => {
  const service = await startService(t, { env: { PETSTORE_DRAIN_SECONDS: '1' } })
  const start = performance.now()

  const code = await service.stop()

  assert.equal(code, 0)
  // A timer may fire a little early.
  assert.ok(performance.now() - start >= 900)
})

// Beside 127.0.0.1, which is where everything else in these tests listens.
const otherAddress = '127.0.0.2'

const skip = process.platform !== 'linux' && `NOT TESTED: only Linux has ${otherAddress} without being told`

test('metrics without a key are served where they are asked for alone, also if the service is for all', {
  skip,
}, async (t) => {
  const { output } = await startService(t, {
    env: { PETSTORE_HOST: '0.0.0.0', PETSTORE_METRICS_ADDRESS: '127.0.0.1:0' },
  })

  const url = /Metrics +(\S+)/.exec(output.stdout)?.[1] ?? ''

  assert.equal(new URL(url).hostname, '127.0.0.1')
  assert.equal((await fetch(url)).status, 200)
  await assert.rejects(fetch(url.replace('127.0.0.1', otherAddress)))
})

test('PETSTORE_METRICS_ADDRESS opens metrics to others', { skip }, async (t) => {
  const { output } = await startService(t, { env: { PETSTORE_METRICS_ADDRESS: '0.0.0.0:0' } })

  const url = /Metrics +(\S+)/.exec(output.stdout)?.[1] ?? ''

  assert.equal((await fetch(url.replace('0.0.0.0', otherAddress))).status, 200)
})

test('a host for metrics that is none of this machine is refused by the name of its setting', async (t) => {
  const env = { PETSTORE_PORT: '0', PETSTORE_METRICS_ADDRESS: '256.256.256.256:0' }

  assertRefused(
    await run(t, ['serve'], { env }),
    /^petstore: PETSTORE_METRICS_ADDRESS must be an address of this machine/,
  )
})
