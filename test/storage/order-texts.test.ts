import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { firstOrder, idempotencyKey, openShop } from '../support/stored-orders.ts'

const awkwardTexts = ['Ada', '🐇 \u{10ffff}', ' \t x\r\n\u2028', `"'\\"';--`, '\u0001\u007f', 'NULL', '{1,2}', '\\N']

for (const engine of engines) {
  test(`${engine.name}: place keeps the customer and the note byte for byte`, async (t) => {
    const { orders } = await openShop(engine, t, awkwardTexts.length)

    for (const [index, text] of awkwardTexts.entries()) {
      await orders.place({ petId: BigInt(index + 1), customer: text, note: `${text}.` })
    }

    const { items } = await orders.list({}, 20, 0n)
    assert.deepEqual(
      items.map(({ customer, note }) => [customer, note]),
      awkwardTexts.map((text) => [text, `${text}.`]),
    )
    assert.deepEqual(await orders.find(1n), items[0])
  })

  test(`${engine.name}: update changes and removes the texts of an open order and nothing else`, async (t) => {
    const { orders, pets, events } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n, customer: 'Ada', note: 'Saturday' })
    const latest = await events.latest()

    const changed = await orders.update(1n, { note: 'Sunday' })
    const removed = await orders.update(1n, { customer: null })
    const nothing = await orders.update(1n, {})

    assert.deepEqual(changed, { outcome: 'updated', order: { ...firstOrder, customer: 'Ada', note: 'Sunday' } })
    assert.deepEqual(removed, { outcome: 'updated', order: { ...firstOrder, note: 'Sunday' } })
    assert.deepEqual(nothing, removed)
    assert.deepEqual(await orders.find(1n), { ...firstOrder, note: 'Sunday' })
    assert.equal((await pets.find(1n))?.status, 'pending')
    assert.deepEqual(await events.latest(), latest)
  })

  test(`${engine.name}: the texts of a closed order can be corrected, without an event`, async (t) => {
    const { orders, pets, events } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n, customer: 'Ada' })
    await orders.update(1n, { status: 'completed', note: 'Paid' })
    const latest = await events.latest()

    const update = await orders.update(1n, { customer: 'Ada Lovelace', note: null })

    const order = { ...firstOrder, status: 'completed', customer: 'Ada Lovelace' }
    assert.deepEqual(update, { outcome: 'updated', order })
    assert.deepEqual(await orders.find(1n), order)
    assert.equal((await pets.find(1n))?.status, 'sold')
    assert.deepEqual(await events.latest(), latest)
  })

  test(`${engine.name}: a change that is refused changes no text`, async (t) => {
    const { orders } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n, customer: 'Ada' })
    await orders.update(1n, { status: 'cancelled' })
    const before = await orders.find(1n)

    const updates = [
      await orders.update(1n, { status: 'completed', customer: 'Bob' }),
      await orders.update(1n, { customer: 'Bob' }, { match: ['"other"'] }),
      await orders.update(2n, { customer: 'Bob' }),
    ]

    assert.deepEqual(
      updates.map(({ outcome }) => outcome),
      ['closed', 'unmet', 'missing'],
    )
    assert.deepEqual(await orders.find(1n), before)
  })

  test(`${engine.name}: concurrent changes of the texts of one order are all made, one after the other`, async (t) => {
    const { orders } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n })

    const updates = await Promise.all([
      orders.update(1n, { customer: 'Ada' }),
      orders.update(1n, { note: 'Saturday' }),
      orders.update(1n, { status: 'completed' }),
      orders.update(1n, { note: 'Sunday' }),
    ])

    assert.deepEqual(
      updates.map(({ outcome }) => outcome),
      ['updated', 'updated', 'updated', 'updated'],
    )
    const order = await orders.find(1n)
    assert.deepEqual([order?.status, order?.customer, order?.note], ['completed', 'Ada', 'Sunday'])
  })

  test(`${engine.name}: the customer and the note of an order are in no event`, async (t) => {
    const { orders, events } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n, customer: 'Ada Lovelace', note: 'Saturday' })
    await orders.update(1n, { status: 'completed', note: 'Sunday' })

    const { items } = await events.list(20)

    assert.doesNotMatch(items.map(({ data }) => data).join(), /Ada|Saturday|Sunday|customer|note/)
  })

  test(`${engine.name}: a replayed order has the texts that it was placed with`, async (t) => {
    const { orders } = await openShop(engine, t, 1)
    const placement = await orders.place({ petId: 1n, customer: 'Ada', note: '"Sat"\n' }, idempotencyKey)
    await orders.update(1n, { customer: null, note: null })

    const again = await orders.place({ petId: 1n, customer: 'Ada', note: '"Sat"\n' }, idempotencyKey)

    assert.deepEqual(again, { ...placement, outcome: 'replayed' })
  })
}
