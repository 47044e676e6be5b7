import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverySlots } from '../../src/webhooks/delivery-slots.ts'

/** How many tries start, of those that did not fail before or of those that did. */
function startAll(slots: ReturnType<typeof deliverySlots>, isFailing: boolean) {
  const ends: (() => void)[] = []
  while (slots.canStart(isFailing) && ends.length < 1_000) ends.push(slots.start(isFailing))
  return ends
}

test('64 tries start at once, and 64 more whenever these are a second old, up to 384', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let freed = 0
  const slots = deliverySlots(() => freed++)

  const started = Array.from({ length: 8 }, () => {
    const { length } = startAll(slots, false)
    t.mock.timers.tick(1_000)
    return length
  })

  assert.deepEqual(started, [64, 64, 64, 64, 64, 64, 0, 0])
  assert.equal(freed, 384)
})

test('endpoints that failed before never take the place of others, and do not age', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const slots = deliverySlots(() => undefined)

  assert.equal(startAll(slots, true).length, 128)
  t.mock.timers.tick(1_000)
  assert.equal(slots.canStart(true), false)
  assert.equal(startAll(slots, false).length, 64)
})

for (const isFailing of [false, true]) {
  test(`a try that ends makes room for one more${isFailing ? ', after a failure too' : ''}`, (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let freed = 0
    const slots = deliverySlots(() => freed++, { young: 2, failing: 2, total: 3 })
    const [first] = startAll(slots, isFailing)

    first?.()
    assert.equal(startAll(slots, isFailing).length, 1)
    assert.equal(startAll(slots, !isFailing).length, 1)
    t.mock.timers.tick(1_000)

    // The one that ended frees nothing when its second is over.
    assert.equal(freed, 3)
    assert.equal(slots.canStart(false), false)
  })
}

test('a try that ends after its first second frees one place, not two', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const slots = deliverySlots(() => undefined, { young: 1, failing: 1, total: 3 })
  const end = slots.start(false)
  t.mock.timers.tick(1_000)

  end()

  assert.equal(startAll(slots, false).length, 1)
})
