import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../../src/verify/checks/all.ts'
import { exitCodeOf } from '../../src/verify/run.ts'
import { startApp } from '../support/app.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { bareKey, BareShop, error, serveBare } from './bare-shop.ts'
import { idsOf, judge } from './judge.ts'
import { UnusualShop, unusualKey } from './unusual-shop.ts'

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: our service follows the contract and what it recommends, and is left as it was`, async (t) => {
    const { origin, key, send, create } = await startApp(t, { engine })
    const rex = (await create({ name: 'Rex', categoryId: 1, status: 'sold' })).body

    const report = await judge(new URL(`${origin}/v1`), key, { level: 'recommended' })

    assert.equal(report.results.length, allChecks.length)
    assert.deepEqual(
      report.results.filter(({ outcome }) => outcome === 'failed'),
      [],
    )
    assert.deepEqual(idsOf(report, 'skipped'), ['C-9-1'])
    assert.equal(exitCodeOf(report), 0)
    assert.deepEqual([report.cleanup.left, report.cleanup.notes], [[], []])
    assert.deepEqual((await send('/v1/pets')).body, [rex])
  })
}

test('our service follows the contract after the removal of getPet', async (t) => {
  const clock = () => Date.UTC(2030, 11, 5)
  const { origin, key } = await startApp(t, { clock })

  const report = await judge(new URL(`${origin}/v1`), key, { clock })

  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome === 'failed'),
    [],
  )
  assert.ok(idsOf(report, 'passed').includes('C-9-1'))
})

test('a shop on bare node:http follows the contract; that it cannot delete is told, not failed', async (t) => {
  const shop = new BareShop()
  const url = await serveBare(t, (request) => shop.handle(request))

  const report = await judge(url, bareKey)

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.deepEqual(idsOf(report, 'skipped'), ['C-5-11', 'C-9-1'])
  assert.match(report.cleanup.notes.join(), /has no DELETE/)
  assert.deepEqual(
    report.cleanup.left,
    shop.pets.map(({ id }) => String(id)),
  )
})

test('a shop that decided otherwise wherever the contract is silent follows it too, and loses nothing', async (t) => {
  const shop = new UnusualShop()
  const before = structuredClone(shop.pets)
  const url = await serveBare(t, (request) => shop.handle(request))

  const report = await judge(url, unusualKey)

  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome === 'failed'),
    [],
  )
  assert.deepEqual(idsOf(report, 'skipped'), ['C-2-6', 'C-2-7', 'C-5-11', 'C-9-1'])
  assert.deepEqual(shop.pets, before)
})

test('a shop may have shorter pages than were asked for, oldest animals first, and no link to the next', async (t) => {
  const shop = new BareShop()
  const url = await serveBare(t, (request) => {
    const limit = Number(request.query.get('limit') ?? 20)
    request.query.set('limit', String(Math.min(limit, 10)))
    return shop.handle(request)
  })

  const report = await judge(url, bareKey)

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.ok(idsOf(report, 'skipped').includes('C-4.1-10'))
})

test('an operation that was removed may respond in any way', async (t) => {
  const shop = new BareShop()
  const url = await serveBare(t, (request) =>
    request.path.startsWith('/v1/pets/') ? error(410, 'gone', 'Removed.') : shop.handle(request),
  )

  const report = await judge(url, bareKey, { clock: () => Date.UTC(2031, 0, 1) })

  assert.deepEqual(idsOf(report, 'failed'), [])
})

test('a seed gives another order with the same result', async (t) => {
  const shop = new BareShop()
  const url = await serveBare(t, (request) => shop.handle(request))
  const order = async (seed?: number) => {
    const report = await judge(url, bareKey, { ...(seed !== undefined && { seed }) })
    assert.deepEqual(idsOf(report, 'failed'), [])
    return report.results.map(({ id }) => id)
  }

  const [plain, first, again] = [await order(), await order(42), await order(42)]

  assert.deepEqual(first, again)
  assert.notDeepEqual(plain, first)
  assert.deepEqual(plain.toSorted(), first.toSorted())
})

test('--read-only adds nothing, and still finds what a list shows', async (t) => {
  const shop = new BareShop()
  for (let count = 0; count < 25; count++) shop.add('Rex', '1', 'sold')
  const methods = new Set<string>()
  const url = await serveBare(t, (request) => {
    methods.add(request.method)
    if (!request.query.has('limit')) request.query.set('limit', '25')
    return shop.handle(request)
  })

  const report = await judge(url, bareKey, { readOnly: true, level: 'recommended' })

  assert.deepEqual(
    idsOf(report, 'failed').filter((id) => id.startsWith('C-')),
    ['C-4.1-1'],
  )
  assert.ok(idsOf(report, 'passed').includes('C-4.3-1'))
  assert.deepEqual([...methods], ['GET'])
  assert.equal(shop.pets.length, 25)
})

test('--only runs one check', async (t) => {
  const shop = new BareShop()
  const url = await serveBare(t, (request) => shop.handle(request))

  const report = await judge(url, bareKey, { only: 'C-4.1-3' })

  assert.deepEqual(idsOf(report, 'passed'), ['C-4.1-3'])
  assert.equal(report.results.length, 1)
})

test('an interrupted run skips the rest and removes what it added', async (t) => {
  const { origin, key, send } = await startApp(t)
  const interruption = new AbortController()
  const progress = () => interruption.abort()

  const report = await judge(new URL(`${origin}/v1`), key, { seed: 1, signal: interruption.signal, progress })

  assert.equal(idsOf(report, 'skipped').length, report.results.length - 1)
  assert.deepEqual((await send('/v1/pets')).body, [])
})
