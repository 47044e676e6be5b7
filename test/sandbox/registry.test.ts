import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiresAfterMs, maxShops, maxTotalBytes } from '../../src/sandbox/limits.ts'
import { shopRegistry } from '../../src/sandbox/shops.ts'
import type { Shop } from '../../src/sandbox/shop.ts'

function registry() {
  const clock = { now: 0 }
  const closed: string[] = []
  const inUse = new Set<string>()
  const refuses: ((bytes: number) => string | undefined)[] = []
  const shops = shopRegistry({
    maxShops,
    now: () => clock.now,
    open(name, refuseGrowth) {
      refuses.push(refuseGrowth)
      return {
        name,
        bytes: 10_000_000,
        get isInUse() {
          return inUse.has(name)
        },
        hasBugs: false,
        answer: () => undefined,
        hasKey: (hash) => hash === 'shared' || hash === name,
        maintain: async () => undefined,
        close: () => void closed.push(name),
      } satisfies Shop
    },
  })
  return { shops, clock, closed, inUse, refuses }
}

test('there are at most 200 shops, and the one unused for longest makes room', () => {
  const { shops, clock, closed } = registry()
  for (let number = 1; number <= 200; number++) {
    clock.now = number
    shops.get(`shop-${number}`)
  }

  assert.throws(() => shops.get('new'), { code: 'unavailable', retryAfterSeconds: 600 })
  clock.now = 600_001
  shops.get('shop-1')
  assert.throws(() => shops.get('new'), { code: 'unavailable', retryAfterSeconds: 1 })
  clock.now = 600_002
  shops.get('new')

  assert.deepEqual([closed, shops.count()], [['shop-2'], 200])
})

test('a shop that was unused for an hour goes', () => {
  const { shops, clock, closed } = registry()
  shops.get('one')
  clock.now = 1
  shops.get('two')
  clock.now = expiresAfterMs

  shops.maintain(assert.ifError)

  assert.deepEqual([closed, shops.count()], [['one'], 1])
})

test('the hour begins when the last request has ended, such as a stream', () => {
  const { shops, clock, closed, inUse } = registry()
  shops.get('followed')
  inUse.add('followed')
  clock.now = 3 * expiresAfterMs
  shops.maintain(assert.ifError)
  inUse.delete('followed')

  clock.now += expiresAfterMs - 1
  shops.maintain(assert.ifError)
  assert.deepEqual(closed, [])
  clock.now += 1
  shops.maintain(assert.ifError)
  assert.deepEqual(closed, ['followed'])
})

test('a key that several shops have a copy of opens the oldest of them', () => {
  const { shops } = registry()
  shops.get('one')
  shops.get('two')
  shops.get('one')

  assert.equal(shops.withKey('shared')?.name, 'one')
  assert.equal(shops.withKey('two')?.name, 'two')
  assert.equal(shops.withKey('none'), undefined)
})

test('all shops together are bounded: then none grows, but each may shrink', () => {
  const { shops, refuses } = registry()
  for (let number = 1; number <= Math.floor(maxTotalBytes / 10_000_000); number++) shops.get(`shop-${number}`)
  const [refuseGrowth = () => undefined] = refuses

  assert.match(refuseGrowth(10_000_000) ?? '', /^All shops of this sandbox together have 1 GiB/)
  assert.deepEqual([refuseGrowth(1), refuseGrowth(-1)], [undefined, undefined])
})
