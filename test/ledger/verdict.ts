import assert from 'node:assert/strict'
import { type Animal, ask, type Order, readAll, type WireEvent } from './client.ts'
import type { Follower } from './followers.ts'
import { compare, type Shop } from './ledger.ts'
import type { Load } from './load.ts'

/**
 * Ends the load and compares the shop with it: nothing acknowledged is lost or altered, nothing exists twice, every
 * follower received exactly what happened, and an Idempotency-Key still has its first response.
 */
export async function assertNothingLost(origin: string, load: Load, followers: readonly Follower[]): Promise<Shop> {
  assert.deepEqual(load.mistakes.slice(0, 20), [])
  await load.stop()
  assert.deepEqual(load.mistakes.slice(0, 20), [])
  const shop = await readShop(origin)
  for (const follower of followers) await follower.caughtUp(shop)
  const answered = load.ledger.lives
    .filter(({ acknowledged, isPlain }) => acknowledged.length > 0 && !isPlain)
    .slice(-50)
  const replayed = await Promise.all(
    answered.map(async ({ key, wanted }) =>
      (await ask(origin, 'POST /pets', { body: wanted, headers: { 'idempotency-key': key } })).json(),
    ),
  )

  assert.deepEqual(compare(load.ledger, shop).slice(0, 20), [])
  for (const follower of followers) assert.deepEqual(follower.compare(shop).slice(0, 20), [], follower.name)
  assert.deepEqual(
    replayed,
    answered.map(({ acknowledged }) => acknowledged[0]?.data),
  )
  return shop
}

export async function readShop(origin: string): Promise<Shop> {
  return {
    animals: await readAll<Animal>(origin, '/pets?limit=100'),
    orders: await readAll<Order>(origin, '/store/orders?limit=100'),
    events: await readAll<WireEvent>(origin, '/events?limit=100&after=0'),
  }
}
