import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { followLists, followPages, followStream } from '../ledger/followers.ts'
import { startLoad } from '../ledger/load.ts'
import { assertNothingLost } from '../ledger/verdict.ts'
import { checkStorage } from '../../src/storage/check/check.ts'
import type { FaultyShop } from './shop.ts'

/**
 * Strikes a shop under load, with followers, in rounds, and asserts that nothing acknowledged was lost or altered, and
 * that counts, counters and the search index agree with the animals.
 */
export async function withstands(
  t: TestContext,
  shop: FaultyShop,
  rounds: number,
  strike: (round: number) => Promise<void>,
): Promise<void> {
  const followers = [followStream(t, shop.origin), followPages(t, shop.origin), followLists(t, shop.origin)]
  const load = startLoad(t, shop.origin)
  await load.flows()

  for (let round = 0; round < rounds; round++) {
    await strike(round)
    await load.flows()
    assert.deepEqual(load.mistakes, [])
  }

  const { events } = await assertNothingLost(shop.origin, load, followers)
  const checked = await Array.fromAsync(checkStorage(shop.databaseUrl, 'production'))
  assert.deepEqual(
    checked.filter(({ result }) => result === 'wrong'),
    [],
  )
  const setbacks = [...load.setbacks].map(([what, count]) => `${what} ${count} times`).join(', ')
  t.diagnostic(`${rounds} rounds, ${events.length} events; clients tried again after: ${setbacks || 'nothing'}`)
}
