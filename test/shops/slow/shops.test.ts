import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightShops, wrongShops } from '../catalogue.ts'
import { kinds, languages, type Shop } from '../shop.ts'
import { smoke } from '../smoke.ts'
import { isInstalled, type RunningShop, startShop } from '../start.ts'
import { differs, transcriptOf } from '../transcript.ts'

/** More than the time after which a shop forgets an animal. */
const longestMemoryMs = 5500

test('the catalogue has 852 wrong shops, 140 in each language, of every kind, and 141 right ones, each named once', () => {
  const names = [...rightShops, ...wrongShops].map(({ name }) => name)

  assert.equal(new Set(names).size, names.length)
  assert.ok(rightShops.length >= 141 && wrongShops.length >= 852)
  assert.deepEqual([...new Set(wrongShops.map(({ kind }) => kind))].toSorted(), [...kinds])
  for (const language of languages) assert.ok(wrongShops.filter((shop) => shop.language === language).length >= 140)
})

for (const language of languages) {
  const skip = isInstalled(language) ? false : `${language} is not installed`

  const right = rightShops.filter((shop) => shop.language === language)
  const base = right[0]
  assert.ok(base !== undefined && base.changes.length === 0)

  for (const shop of right) {
    test(`a right shop keeps the contract: ${shop.name}`, { skip }, () => withShop(shop, smoke))
  }

  test(`${language}: a wrong shop answers otherwise than the right one, which answers the same each time`, {
    skip,
  }, async () => {
    const expected = await withShop(base, transcriptOf)
    assert.deepEqual(await withShop(base, transcriptOf), expected)
    for (const shop of wrongShops.filter((shop) => shop.language === language)) {
      assert.ok(await differsOnce(shop, expected), shop.name)
    }
  })
}

/** A race does not show in each tour. */
async function differsOnce(shop: Shop, expected: readonly string[]): Promise<boolean> {
  for (let tour = 0; tour < 5; tour++)
    if (await withShop(shop, (running) => differs(running, expected, longestMemoryMs))) return true
  return false
}

async function withShop<Result>(shop: Shop, use: (running: RunningShop) => Promise<Result>): Promise<Result> {
  const running = await startShop(shop)
  try {
    return await use(running)
  } finally {
    await running.stop()
  }
}
