import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { test } from 'node:test'
import { type RunningPetStore, startPetStore, type StartOptions } from '../../../server/testing/index.ts'
import { until } from '../../support/until.ts'

const entry = new URL('../../../server/testing/index.ts', import.meta.url).href

async function start(t: { after(work: () => Promise<void>): void }, options?: StartOptions): Promise<RunningPetStore> {
  const shop = await startPetStore(options)
  t.after(() => shop.stop())
  return shop
}

async function isServing(url: string): Promise<boolean> {
  return fetch(`${url}/pets`).then(
    () => true,
    () => false,
  )
}

test('startPetStore gives a shop with its seed, faults, clock and journal, and stops twice', async (t) => {
  const shop = await start(t, { seed: [{ id: 9007199254740993n, name: 'bigint:7', categoryId: 1 }] })

  assert.match(shop.url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  const list = await fetch(`${shop.url}/pets`, { headers: { authorization: `Bearer ${shop.key}` } })
  assert.equal(await list.text(), '[{"id":9007199254740993,"name":"bigint:7","categoryId":1}]')
  await shop.reset('empty')
  assert.equal(await shop.client.pets.count(), 0)
  await shop.reset()
  assert.equal(await shop.client.pets.count(), 1)
  assert.equal((await shop.clock({ now: '2030-12-05T00:00:00Z', frozen: true })).now, '2030-12-05T00:00:00.000Z')
  assert.equal((await shop.faults([{ operation: 'listOrders', fault: '500' }])).length, 1)
  await assert.rejects(shop.client.orders.list().first())
  assert.equal((await shop.journal({ operation: 'listOrders' }))[0]?.fault, '500')

  await Promise.all([shop.stop(), shop.stop()])
  await shop.stop()
  assert.equal(await isServing(shop.url), false)
})

test('calls with a shop share a process, which ends with the last of them', async (t) => {
  const [one, other] = await Promise.all([start(t, { shop: 'one' }), start(t, { shop: 'other' })])
  await one.reset('empty')

  assert.equal(one.url, other.url)
  assert.deepEqual([await one.client.pets.count(), await other.client.pets.count()], [0, 10])
  await one.stop()
  assert.equal(await other.client.pets.count(), 10)
  await other.stop()
  assert.equal(await isServing(other.url), false)
  await assert.rejects(startPetStore({ shop: 'no such/name' }), TypeError)
})

test('a shared process that crashed is not shared again', async (t) => {
  const children: ChildProcess[] = []
  const listen = (message: unknown) => void children.push((message as { process: ChildProcess }).process)
  subscribe('child_process', listen)
  t.after(() => unsubscribe('child_process', listen))
  const before = await start(t, { shop: 'before' })
  const child = children.find(({ spawnargs }) => spawnargs.includes('sandbox'))
  assert.ok(child !== undefined)
  child.kill('SIGKILL')
  await until(() => child.signalCode !== null)

  const next = await start(t, { shop: 'after' })
  assert.equal(await next.client.pets.count(), 10)
  // It has left another process than this one.
  await before.stop()
  const last = await start(t, { shop: 'last' })
  assert.equal(last.url, next.url)
})

test('options that cannot be meant are a TypeError, and a file may have the name of a seed', async () => {
  for (const timeoutMs of [0, Number.NaN, Number.POSITIVE_INFINITY])
    await assert.rejects(
      startPetStore({ timeoutMs }),
      /^TypeError: timeoutMs must be a number above 0 and below 2\^31, got /,
    )
  for (const seed of [null, 7, {}, { file: 7 }])
    await assert.rejects(
      startPetStore({ seed: seed as unknown as 'demo' }),
      /^TypeError: seed must be "empty", "demo", an array of records, or \{ file \}$/,
    )
  await assert.rejects(startPetStore({ seed: { file: 'demo' } }), /demo cannot \(ENOENT\)/)
})

test('a start that fails is one error with the output', async () => {
  await assert.rejects(
    startPetStore({ seed: { file: 'missing.ndjson' } }),
    /^Error: The pet store did not start: it ended with code 1\.\npetstore: --seed must be .*missing\.ndjson cannot \(ENOENT\)/,
  )
  await assert.rejects(
    startPetStore({ timeoutMs: 1 }),
    /^Error: The pet store did not start: it was not ready within 1 ms\./,
  )
  await assert.rejects(startPetStore({ seed: { file: 'missing.ndjson' }, shop: 'a' }), /did not start/)
})

for (const [name, end] of [
  ['is killed', "process.kill(process.pid, 'SIGKILL')"],
  ['forgets to stop it and ends', ''],
] as const) {
  test(`the pet store is for this machine only, and ends when its parent ${name}`, async () => {
    const program = `
      import { startPetStore } from '${entry}'
      const { url } = await startPetStore()
      process.stdout.write(url, () => { ${end} })`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // An address for containers.
      env: { ...process.env, SANDBOX_HOST: '0.0.0.0' },
    })
    let url = ''
    parent.stdout.on('data', (text) => (url += text))
    await once(parent, 'close')

    assert.match(url, /^http:\/\/127\.0\.0\.1:/)
    await until(async () => !(await isServing(url)))
  })
}
