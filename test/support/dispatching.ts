import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type DispatcherOptions, startDispatcher } from '../../src/webhooks/dispatcher.ts'

/** Delivers the events of a storage, with a clock that the test moves. It looks for events all the time. */
export function deliver(t: TestContext, storage: Storage, options: Partial<DispatcherOptions> = {}) {
  const dispatching = deliverOnTick(t, storage, options)
  const timer = setInterval(() => void dispatching.tick(), 5)
  t.after(() => clearInterval(timer))
  return dispatching
}

export function deliverOnTick(t: TestContext, storage: Storage, options: Partial<DispatcherOptions> = {}) {
  const clock = { now: Date.now() }
  const tries: NewDeliveryTry[] = []
  const disabled: string[] = []
  const failures: Error[] = []
  const dispatcher = startDispatcher({
    storage,
    source: '/v1',
    addresses: { allowPrivate: true },
    clock: () => clock.now,
    leaseMs: 60_000,
    refreshMs: 5,
    observer: {
      tried: (attempt) => tries.push(attempt),
      disabled: ({ id }, reason) => disabled.push(`${id} ${reason}`),
      failed: (error) => failures.push(error),
    },
    ...options,
  })
  t.after(() => dispatcher.stop())
  return {
    ...dispatcher,
    tries,
    disabled,
    failures,
    /** Moves the clock and tries what is due. */
    later(ms: number) {
      clock.now += ms
      dispatcher.retryDue()
    },
  }
}

/** The id and the secret of a new webhook. */
export async function webhook({ webhooks }: Storage, url: string, types?: string[]) {
  const made = await webhooks.create({ url, ...(types && { types }) } as Parameters<typeof webhooks.create>[0])
  assert.ok(made.outcome === 'created')
  return { id: made.webhook.id, secret: made.secret }
}

export async function addPets({ pets }: Storage, count: number): Promise<void> {
  for (let added = 0; added < count; added++) await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
}

export const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index))
