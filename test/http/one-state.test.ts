import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { readAll, startFlippingShop, stateReads } from '../support/flipping-shop.ts'

for (const engine of engines) {
  test(`${engine.name}: everything in one response is one committed state`, async (t) => {
    const shop = await startFlippingShop(t, engine, 600)

    await shop.whileFlipping(() => readAll(shop, stateReads, 3))
  })
}
