import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../verify/src/run.ts'
import { freePorts, skip, startProxy } from '../deploy/haproxy.ts'
import { startApp } from '../support/app.ts'
import { installOnce } from '../support/cache.ts'
import { sqlite } from '../support/engines.ts'
import { postgresDatabase } from '../support/postgres-databases.ts'
import { startService } from '../support/service.ts'
import { idsOf, judge } from '../verify/judge.ts'
import { assertNothingLeft } from '../verify/leftovers.ts'

function assertPassed(report: Report, skipped: string[]): void {
  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome === 'failed'),
    [],
  )
  assert.deepEqual(idsOf(report, 'skipped'), skipped)
}

test('the service with several workers passes every level', async (t) => {
  const { origin, key } = await startService(t, { args: ['--workers', '2'], env: { PETSTORE_LOG_LEVEL: 'silent' } })

  const report = await judge(new URL(`${origin}/v1`), key, { level: 'full' })

  assertPassed(report, [])
  assert.deepEqual(report.cleanup.left, [])
})

test('two instances on PostgreSQL behind HAProxy, with a rate limit, pass every level', { skip }, async (t) => {
  const env = {
    PETSTORE_DATABASE_URL: await postgresDatabase(t),
    PETSTORE_API_KEY: 'a-key-of-the-operators-own',
    PETSTORE_LOG_LEVEL: 'silent',
    PETSTORE_RATE_LIMIT: '100000',
  }
  const ports = await freePorts(2)
  for (const port of ports) await startService(t, { env: { ...env, PETSTORE_PORT: String(port) } })
  const { origin } = await startProxy(
    t,
    ports.map((port) => `127.0.0.1:${port}`),
  )

  const report = await judge(new URL(`${origin}/v1`), env.PETSTORE_API_KEY, { level: 'full' })

  assertPassed(report, [])
  assert.deepEqual(report.cleanup.left, [])
})

test('two runs at once in a shop of 100,000 animals, beside the writes of others, pass and leave nothing', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  const rows = Array.from({ length: 100_000 }, (_, index) => `Rex ${index},${index % 500},sold\n`)
  const body = `name,categoryId,status\n${rows.join('')}`
  const headers = { 'content-type': 'text/csv' }
  assert.equal((await app.send('/v1/pets/import', { method: 'POST', headers, body })).status, 200)
  const end = new AbortController()
  const others = (async () => {
    for (let count = 0; !end.signal.aborted; count++) {
      const { body } = await app.create({ name: `Rex ${count}`, categoryId: count % 7, status: 'available' })
      const path = `/v1/pets/${(body as { id: number }).id}`
      await app.sendJson(`PATCH ${path}`, { status: 'sold' })
      await app.send(path, { method: 'DELETE' })
    }
  })()

  const url = new URL(`${app.origin}/v1`)
  const reports = await Promise.all([1, 7].map((seed) => judge(url, app.key, { level: 'full', seed })))
  end.abort()
  await others

  for (const { results } of reports)
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === 'failed'),
      [],
    )
  await assertNothingLeft(app)
})

test('a shop on a framework, written from the contract alone, follows the contract', async (t) => {
  const shop = await startFrameworkShop(t, 'key-of-the-framework')
  if (shop === undefined) return t.skip('NOT TESTED: the packages of test/verify/framework cannot be fetched')

  const report = await judge(shop, 'key-of-the-framework')

  assertPassed(report, [])
})

/** The base address of the shop in test/verify/framework, undefined if its packages cannot be had. */
async function startFrameworkShop(t: TestContext, key: string): Promise<URL | undefined> {
  const source = fileURLToPath(new URL('../verify/framework/', import.meta.url))
  const folder = installOnce(source)
  if (folder === undefined) return undefined
  cpSync(join(source, 'shop.js'), join(folder, 'shop.js'))
  const child = spawn(process.execPath, [join(folder, 'shop.js')], {
    env: { KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return new URL(`http://127.0.0.1:${/\d+/.exec(line.toString())?.[0]}/v1`)
}
