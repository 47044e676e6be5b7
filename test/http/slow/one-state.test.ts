import { test } from 'node:test'
import { postgres, sqlite, sqliteInMemory } from '../../support/engines.ts'
import { readAll, startFlippingShop, stateReads } from '../../support/flipping-shop.ts'

for (const engine of [sqliteInMemory, sqlite, postgres]) {
  for (const length of [1, 600, 4_000]) {
    test(`${engine.name}: each of many responses is one state, with names of ${length} characters`, async (t) => {
      const shop = await startFlippingShop(t, engine, length)

      await shop.whileFlipping(() => readAll(shop, stateReads, 20))
    })
  }
}
