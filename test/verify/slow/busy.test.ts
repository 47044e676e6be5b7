import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { startApp } from '../../support/app.ts'
import { bareKey, type BareRequest, type BareResponse, BareShop, serveBare } from '../bare-shop.ts'
import { idsOf, judge } from '../judge.ts'

// PETSTORE_VERIFY_RUNS=20 runs each 20 times, and prints how often each shop was found: docs/verify.md has the counts.
const runs = Number(process.env['PETSTORE_VERIFY_RUNS'] ?? 4)
const settleMs = 200

/** As many loops as there are processors, and one more. */
function startBusyLoops(t: TestContext): void {
  for (let count = 0; count <= availableParallelism(); count++) {
    const worker = new Worker('for (;;);', { eval: true })
    t.after(() => worker.terminate())
  }
}

const rightShops: Record<string, (t: TestContext) => Promise<{ url: URL; key: string }>> = {
  async 'a shop on bare node:http'(t) {
    const shop = new BareShop()
    return { url: await serveBare(t, (request) => shop.handle(request)), key: bareKey }
  },
  async 'our service'(t) {
    const { origin, key } = await startApp(t)
    return { url: new URL(`${origin}/v1`), key }
  },
}

for (const [name, start] of Object.entries(rightShops))
  test(`${name} passes every run beside busy loops`, async (t) => {
    startBusyLoops(t)

    for (let count = 0; count < runs; count++) {
      const { url, key } = await start(t)
      const report = await judge(url, key, { settleMs })
      assert.deepEqual([idsOf(report, 'failed'), idsOf(report, 'skipped')], [[], []], `run ${count + 1}`)
    }
  })

/** A shop that is right for clients that send one request after the other. */
type Racing = (shop: BareShop) => (request: BareRequest) => Promise<BareResponse>

const isCreate = ({ method }: BareRequest) => method === 'POST'
const isList = ({ method, path }: BareRequest) => method === 'GET' && path === '/v1/pets'

const racingShops: Record<string, Racing> = {
  'reads its counter, waits and writes it': (shop) => async (request) => {
    const { lastId } = shop
    if (isCreate(request)) {
      await wait(1)
      shop.lastId = lastId
    }
    return shop.handle(request)
  },
  'reads all its animals, waits and writes them with one more': (shop) => async (request) => {
    const pets = [...shop.pets]
    if (isCreate(request)) {
      await wait(1)
      shop.pets = pets
    }
    return shop.handle(request)
  },
  'keeps a list that it made while an animal was added'(shop) {
    const kept = new Map<string, BareResponse>()
    return async (request) => {
      const response = shop.handle(request)
      if (isCreate(request) && response.status === 201) kept.clear()
      if (!isList(request) || response.status !== 200) return response
      const name = String(request.query)
      if (!kept.has(name)) {
        await wait(1)
        kept.set(name, response)
      }
      return kept.get(name) ?? response
    }
  },
  'looks for an animal after those that are asked for at the same time'(shop) {
    let asked = ''
    return async (request) => {
      if (isList(request) || isCreate(request)) return shop.handle(request)
      asked = request.path
      await wait(1)
      return shop.handle({ ...request, path: asked })
    }
  },
}

for (const [name, racing] of Object.entries(racingShops))
  test(`a shop that ${name} is found in 19 of 20 runs beside busy loops`, async (t) => {
    startBusyLoops(t)
    let found = 0

    for (let count = 0; count < runs; count++) {
      const url = await serveBare(t, racing(new BareShop()))
      const report = await judge(url, bareKey, { settleMs, bail: true })
      if (idsOf(report, 'failed').length > 0) found++
    }

    t.diagnostic(`found in ${found} of ${runs} runs`)
    assert.ok(found >= Math.floor(runs * 0.95), `found in ${found} of ${runs} runs`)
  })
