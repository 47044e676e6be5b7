import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { bareKey, BareShop, serveBare } from '../bare-shop.ts'
import { idsOf, judge } from '../judge.ts'

// PETSTORE_VERIFY_RUNS=20 runs each 20 times.
const runs = Number(process.env['PETSTORE_VERIFY_RUNS'] ?? 4)

/** As many loops as there are processors, and one more. */
function startBusyLoops(t: TestContext): void {
  for (let count = 0; count <= availableParallelism(); count++) {
    const worker = new Worker('for (;;);', { eval: true })
    t.after(() => worker.terminate())
  }
}

test('a right shop passes every run beside busy loops', async (t) => {
  startBusyLoops(t)

  for (let count = 0; count < runs; count++) {
    const shop = new BareShop()
    const url = await serveBare(t, (request) => shop.handle(request))
    const report = await judge(url, bareKey, { settleMs: 200 })
    assert.deepEqual([idsOf(report, 'failed'), idsOf(report, 'skipped')], [[], []])
  }
})

test('a shop that reads its counter, waits and writes it is found in every run beside busy loops', async (t) => {
  startBusyLoops(t)

  for (let count = 0; count < runs; count++) {
    const url = await serveRacing(t)
    const report = await judge(url, bareKey, { settleMs: 200 })
    assert.ok(idsOf(report, 'failed').includes('C-2-4'), `run ${count + 1}`)
  }
})

/** Right for clients that send one request after the other. */
function serveRacing(t: TestContext): Promise<URL> {
  const shop = new BareShop()
  return serveBare(t, async (request) => {
    const { lastId } = shop
    if (request.method === 'POST') {
      await wait(1)
      shop.lastId = lastId
    }
    return shop.handle(request)
  })
}
