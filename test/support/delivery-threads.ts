import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { newDeliveryThreads, startDeliveryThread } from '../../src/cli/serving/deliveries/delivery-thread.ts'
import type { DeliveryFunctions } from '../../src/cli/serving/deliveries/run-deliveries.ts'
import type { Functions } from '../../src/threads/calls.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type OpenStorage, openStorage } from '../../src/storage/open.ts'
import type { Thread } from '../../src/threads/thread.ts'
import { type Engine, sqlite, timeouts } from './engines.ts'
import { until } from './until.ts'

export const deliveryOptions = {
  source: '/v1',
  allowPrivate: true,
  leaseMs: 60_000,
  pollMs: 5,
  stopTimeoutMs: 60_000,
  observer: { tried: () => undefined, delivered: () => undefined, disabled: () => undefined, failed: () => undefined },
}

export interface Shop {
  storage: OpenStorage
  url: string
}

export async function openShop(t: TestContext, engine: Engine = sqlite): Promise<Shop> {
  const url = await engine.url(t)
  const storage = await openStorage(url, timeouts)
  t.after(() => storage.close())
  return { storage, url }
}

/** `calls` has the names of what the threads have called of this one. */
export function deliver(t: TestContext, { storage, url }: Shop, { beforeStart = () => {} } = {}) {
  const threads: Thread<DeliveryFunctions>[] = []
  const failures: Error[] = []
  const tried: { attempt: number; status: number | undefined }[] = []
  const counts = { delivered: 0 }
  const calls: string[] = []
  const counting = <Theirs extends Functions>(functions: Theirs): Theirs => {
    const counted = Object.entries(functions).map(([name, call]) => [
      name,
      (input: never) => {
        calls.push(name)
        return call(input)
      },
    ])
    return Object.fromEntries(counted) as Theirs
  }
  const newThread = newDeliveryThreads(url, storage.relay && counting({ ...storage.relay }))
  const thread = startDeliveryThread({
    ...deliveryOptions,
    storage,
    observer: {
      tried: ({ attempt, status }) => tried.push({ attempt, status }),
      delivered: (count) => (counts.delivered += count),
      disabled: () => undefined,
      failed: (error) => failures.push(error),
    },
    newThread(threadOptions, functions) {
      beforeStart()
      const started = newThread(threadOptions, counting(functions))
      threads.push(started)
      return started
    },
  })
  t.after(() => thread.stop())
  return { ...thread, threads, failures, tried, counts, calls }
}

export async function addPets({ pets }: Storage, count: number): Promise<void> {
  const adding = Array.from({ length: count }, () => pets.create({ name: 'Rex', categoryId: 1n, status: 'available' }))
  await Promise.all(adding)
}

export async function addWebhook({ webhooks }: Storage, url: string): Promise<string> {
  const made = await webhooks.create({ url })
  assert.ok(made.outcome === 'created')
  return made.secret
}

/** The first event is delivered and noted, so the thread has all that it needs. */
export async function untilDelivering(storage: Storage): Promise<void> {
  await addPets(storage, 1)
  await until(async () => (await storage.deliveries.positions())[0]?.eventId === 1n)
}
