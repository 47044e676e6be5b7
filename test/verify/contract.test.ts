import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { allChecks } from '../../verify/src/checks/all.ts'
import { HttpFault } from '../../verify/src/http/response-reader.ts'
import { exitCodeOf, type Report, type RunOptions } from '../../verify/src/run.ts'
import { startApp } from '../support/app.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { startSandbox } from '../support/sandbox.ts'
import {
  bareKey,
  type BareRequest,
  type BareResponse,
  BareShop,
  directTransport,
  error,
  serveBare,
} from './bare-shop.ts'
import { idsOf, judge } from './judge.ts'
import { UnusualShop, unusualKey } from './unusual-shop.ts'

const now = Date.UTC(2026, 10, 17)

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: our service passes every level, and is left as it was`, async (t) => {
    const { origin, key, send, create } = await startApp(t, { engine })
    const rex = (await create({ name: 'Rex', categoryId: 1, status: 'sold' })).body

    const report = await judge(new URL(`${origin}/v1`), key, { level: 'full' })

    assert.equal(report.results.length, allChecks.filter(({ isDue }) => isDue?.(now) !== false).length)
    assert.deepEqual(
      report.results.filter(({ outcome }) => outcome === 'failed'),
      [],
    )
    assert.deepEqual(idsOf(report, 'skipped'), [])
    assert.equal(exitCodeOf(report), 0)
    assert.deepEqual([report.cleanup.left, report.cleanup.notes], [[], []])
    assert.deepEqual((await send('/v1/pets')).body, [rex])
    assert.deepEqual((await send('/v1/categories')).body, [])
    const orders = (await send('/v1/store/orders?limit=100')).body as { id: number; status: string }[]
    assert.deepEqual(
      report.cleanup.orders,
      orders.map(({ id }) => String(id)),
    )
    assert.ok(orders.every(({ status }) => status !== 'placed'))
    const keys = (await send('/v1/keys')).body as { id: string; state: string }[]
    assert.deepEqual(
      keys.filter(({ state }) => state === 'revoked').map(({ id }) => id),
      report.cleanup.keys,
    )
    assert.equal(keys.length, report.cleanup.keys.length + 1)
  })
}

test('sandbox: an honest shop follows the contract', async (t) => {
  const { origin, failures } = await startSandbox(t)

  const report = await judge(new URL(`${origin}/v1`), 'sandbox_rules')

  assert.deepEqual([idsOf(report, 'failed'), idsOf(report, 'skipped')], [[], []])
  assert.deepEqual([report.cleanup.left, failures], [[], []])
})

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
  assert.deepEqual(idsOf(report, 'skipped'), [])
  assert.equal(exitCodeOf({ ...report, requireAll: true }), 0)
  assert.match(report.cleanup.notes.join(), /has no DELETE/)
  assert.deepEqual(
    report.cleanup.left,
    shop.pets.map(({ id }) => String(id)),
  )
})

test('a shop follows the contract that has a web page at every address which the contract does not have', async () => {
  const shop = new BareShop()
  const page = { status: 200, type: 'text/html', body: '<!doctype html><title>A shop</title>' }
  const handle = (request: BareRequest) =>
    request.method !== 'GET' || /^\/v1\/pets(\/[^/]+)?$/.test(request.path) ? shop.handle(request) : page

  const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport: directTransport(handle) })

  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome !== 'passed'),
    [],
  )
})

test('a server may refuse keys that HTTP hardly knows before the shop sees them', async () => {
  const shop = new BareShop()
  const page = (status: number) => ({ status, type: 'text/html', body: '<h1>Bad Request</h1>' })
  const handle = (request: BareRequest) => {
    const { authorization = '' } = request
    if (authorization.length > 1000) return page(431)
    return /[^\x20-\x7e]/.test(authorization) ? page(400) : shop.handle(request)
  }

  const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport: directTransport(handle) })

  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome !== 'passed'),
    [],
  )
})

test('a shop follows the contract that takes a status of null for none, and returns it so', async () => {
  const shop = new BareShop()
  const handle = (request: BareRequest) => {
    const response = shop.handle({ ...request, body: request.body.replace('"status":null', '"state":null') })
    return { ...response, body: response.body.replaceAll(/("categoryId":-?\d+)\}/g, '$1,"status":null}') }
  }

  const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport: directTransport(handle) })

  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome !== 'passed'),
    [],
  )
})

test('without the key, a path that has no int64 in the place of an id may be 404', async () => {
  const shop = new BareShop()
  const handle = (request: BareRequest) => {
    const id = /^\/v1\/pets\/(.*)$/.exec(request.path)?.[1] ?? '1'
    return /^-?\d+$/.test(id) ? shop.handle(request) : error(404, 'not_found', 'There is nothing here.')
  }

  const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport: directTransport(handle) })

  assert.deepEqual(idsOf(report, 'failed'), [])
})

for (const status of [411, 501])
  test(`a server may refuse a create in chunks with ${status}, and an expectation with 417`, async () => {
    const shop = new BareShop()
    const page = (one: number) => ({ status: one, type: 'text/html', body: '<h1>No</h1>' })
    const handle = (request: BareRequest) => {
      if (request.header?.('expect') !== undefined) return page(417)
      return request.header?.('transfer-encoding') === undefined ? shop.handle(request) : page(status)
    }

    const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport: directTransport(handle) })

    assert.deepEqual(idsOf(report, 'failed'), [])
  })

test('a server that speaks HTTP/1.0 gets no chunks', async () => {
  const shop = new BareShop()
  const coded: string[] = []
  const direct = directTransport((request) => shop.handle(request))

  const report = await judge(new URL('http://shop.test/v1'), bareKey, {
    only: 'C-4-10',
    async transport(request, limits) {
      coded.push(...request.headers.map(([name]) => name).filter((name) => name === 'Transfer-Encoding'))
      return { ...(await direct(request, limits)), isVersion10: true }
    },
  })

  assert.deepEqual([idsOf(report, 'failed'), coded], [[], []])
})

test('a shop that finds the key under another spelling of its header only is judged with that one, and loses nothing', async () => {
  const shop = new BareShop()
  shop.add('Rex', '1')
  const handle = (request: BareRequest) => {
    const hasKey = request.authorizationName === 'authorization' && request.authorization === `Bearer ${bareKey}`
    const index = shop.pets.findIndex(({ id }) => request.path === `/v1/pets/${id}`)
    if (!hasKey || request.method !== 'DELETE')
      return shop.handle(hasKey ? request : { ...request, authorization: undefined })
    shop.pets.splice(index, 1)
    return { status: 204, type: '', body: '' }
  }

  const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport: directTransport(handle) })

  assert.deepEqual(idsOf(report, 'failed'), ['C-4-10', 'C-5-12'])
  assert.equal(exitCodeOf(report), 1)
  assert.deepEqual(
    shop.pets.map(({ name }) => name),
    ['Rex'],
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
  assert.deepEqual(idsOf(report, 'skipped'), ['C-2-6', 'C-2-7', 'C-2-15', 'C-2-17', 'C-4.1-10'])
  assert.deepEqual(shop.pets, before)
})

/** Takes only categories that it knows, without a hint which. */
class ShopOfKnownCategories extends BareShop {
  readonly known: ReadonlySet<string>

  constructor(...known: string[]) {
    super()
    this.known = new Set(known)
  }

  override create(body: string): BareResponse {
    const category = /"categoryId":(-?\d+)[,}]/.exec(body)?.[1]
    const isUnknown = category !== undefined && !this.known.has(category)
    return isUnknown ? error(400, 'invalid', 'No such category.') : super.create(body)
  }
}

test('a shop that takes only its own categories, of which its animals have the second, follows the contract', async () => {
  const shop = new ShopOfKnownCategories('20')
  shop.add('Rex', '10')
  shop.add('Tom', '20')

  const report = await judgeDirectly(shop)

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.deepEqual(idsOf(report, 'skipped'), ['C-2-5', 'C-2-6', 'C-2-7', 'C-2-15', 'C-2-17'])
})

test('an empty shop that takes only its own categories is judged as far as it can be, and with --category entirely', async () => {
  const report = await judgeDirectly(new ShopOfKnownCategories('20'))

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.match(report.results.find(({ id }) => id === 'C-4.2-1')?.reason ?? '', /name one with --category/)
  for (const id of ['C-4.2-8', 'C-4.2-9', 'C-5-2', 'C-7-3', 'C-4.1-2'])
    assert.ok(idsOf(report, 'passed').includes(id), id)
  assert.match(report.incomplete ?? '', /accepted no create: the shop refuses the category/)
  assert.equal(exitCodeOf(report), 2)

  const judged = await judgeDirectly(new ShopOfKnownCategories('20'), { category: 20n })

  assert.deepEqual(idsOf(judged, 'failed'), [])
  assert.deepEqual(idsOf(judged, 'skipped'), ['C-2-5', 'C-2-6', 'C-2-7', 'C-2-15', 'C-2-17'])
})

test('a shop that refuses all creates is not excused by its categories', async () => {
  const shop = new ShopOfKnownCategories()
  shop.add('Rex', '10')

  assert.ok(idsOf(await judgeDirectly(shop), 'failed').includes('C-4.2-1'))
})

function judgeDirectly(shop: BareShop, options: Partial<RunOptions> = {}): Promise<Report> {
  const transport = directTransport((request) => shop.handle(request))
  return judge(new URL('http://shop.test/v1'), bareKey, { transport, ...options })
}

test('--read-only is not misled by animals that others change and remove', async () => {
  const shop = new BareShop()
  for (let count = 0; count < 25; count++) shop.add('Rex', '1', 'sold')
  let requests = 0
  const transport = directTransport((request) => {
    const [first] = shop.pets
    if (++requests % 2 === 0 && first !== undefined) first.name = `${first.name}!`
    if (requests % 3 === 0) shop.pets.shift()
    if (requests % 3 === 0) shop.add('Tom', '1')
    return shop.handle(request)
  })

  const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport, readOnly: true })

  assert.deepEqual(idsOf(report, 'failed'), [])
})

test('below full nothing is changed but animals that were added, and nothing is made that cannot be removed', async () => {
  const methods = new Set<string>()
  const made = new Set<string>()
  const shop = new BareShop()
  const transport = directTransport((request) => {
    methods.add(request.method)
    if (request.method === 'POST') made.add(request.path)
    return shop.handle(request)
  })

  const { cleanup } = await judge(new URL('http://shop.test/v1'), bareKey, { transport, level: 'recommended' })

  assert.deepEqual([...methods].toSorted(), ['DELETE', 'GET', 'OPTIONS', 'POST', 'PROPFIND'])
  assert.deepEqual([...made], ['/v1/pets'])
  assert.deepEqual([cleanup.orders, cleanup.keys], [[], []])
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
  // Judged by the pages of the first animals, which are shorter than a page can be.
  assert.ok(idsOf(report, 'passed').includes('C-4.1-10'))
})

test('an operation that was removed may respond in any way', async (t) => {
  const shop = new BareShop()
  const url = await serveBare(t, (request) =>
    request.path.startsWith('/v1/pets/') ? error(410, 'gone', 'Removed.') : shop.handle(request),
  )

  const report = await judge(url, bareKey, { clock: () => Date.UTC(2031, 0, 1) })

  assert.deepEqual(idsOf(report, 'failed'), [])
})

test('a shop whose reads are 0.3 seconds behind its creates follows the contract', async () => {
  const shop = new BareShop()
  const addedAt = new Map<bigint, number>()
  const transport = directTransport((request) => {
    const { pets } = shop
    const now = performance.now()
    if (request.method === 'GET') shop.pets = pets.filter(({ id }) => (addedAt.get(id) ?? 0) + 300 <= now)
    const response = shop.handle(request)
    shop.pets = pets
    if (response.status === 201) addedAt.set(shop.lastId, now)
    return response
  })

  const report = await judge(new URL('http://shop.test/v1'), bareKey, { transport, settleMs: 400 })

  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome !== 'passed'),
    [],
  )
  for (const only of ['C-1-2', 'C-4-9', 'C-4-10', 'C-4-12', 'C-4-13', 'C-4-15']) {
    const { results } = await judge(new URL('http://shop.test/v1'), bareKey, { transport, settleMs: 400, only })
    assert.deepEqual([only, results[0]?.outcome], [only, 'passed'])
  }
})

test('a shop of which the system drops connections that come at the same time follows the contract', async () => {
  const shop = new BareShop()
  const direct = directTransport((request) => shop.handle(request))
  const faults = ['reset the connection after 0 bytes of the response', 'sent nothing within 10 ms']
  let underWay = 0
  let dropped = 0

  const report = await judge(new URL('http://shop.test/v1'), bareKey, {
    async transport(request, limits) {
      if (underWay === 2) throw new HttpFault(faults[++dropped % 2])
      underWay++
      await setImmediate()
      underWay--
      return direct(request, limits)
    },
  })

  assert.ok(dropped > 100)
  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome !== 'passed'),
    [],
  )
})

test('a shop that takes nothing more after several creates at the same time is found', async () => {
  const shop = new BareShop()
  const direct = directTransport((request) => shop.handle(request))
  let underWay = 0
  let hangs = false

  const report = await judge(new URL('http://shop.test/v1'), bareKey, {
    async transport(request, limits) {
      if (request.method === 'POST') hangs ||= underWay === 2
      if (hangs) throw new HttpFault('sent nothing within 10 ms')
      underWay++
      await setImmediate()
      underWay--
      return direct(request, limits)
    },
  })

  assert.ok(idsOf(report, 'failed').length > 0)
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
    ['C-4.1-1', 'C-4.1-13'],
  )
  assert.ok(idsOf(report, 'passed').includes('C-4.3-1'))
  // PROPFIND only reads, too.
  assert.deepEqual([...methods].toSorted(), ['GET', 'PROPFIND'])
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
