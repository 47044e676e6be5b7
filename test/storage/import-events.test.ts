import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodePet } from '../../src/contract/pet.ts'
import { engines } from '../support/engines.ts'
import { lost, mia, rex, second, tom } from '../support/stored-imports.ts'

for (const engine of engines) {
  test(`${engine.name}: add leaves an event for each animal, in order, like create`, async (t) => {
    const at = Date.UTC(2030, 0, 1)
    const { events, imports, pets } = await engine.open(t, () => at)
    await pets.create(mia)
    await imports.add([rex, tom, mia])

    const { items } = await pets.list({}, 20, 0n)
    const { lineage } = await events.latest()
    assert.deepEqual(
      (await events.list(20)).items,
      items.map((pet) => ({ id: pet.id, type: 'pet.created', subject: pet.id, at, data: encodePet(pet), lineage })),
    )
  })

  test(`${engine.name}: the event of an imported animal has its exact JSON, for every name`, async (t) => {
    const { events, imports, pets } = await engine.open(t)
    const named = everyName().map((name, index) => ({ ...rex, name, categoryId: BigInt(index) - 99n }))
    await imports.add(named)

    const { items } = await pets.list({}, 1_000, 0n)
    assert.deepEqual(
      (await events.list(1_000)).items.map(({ data }) => data),
      items.map(encodePet),
    )
  })

  test(`${engine.name}: the event of an imported animal has every digit of an int64`, async (t) => {
    const { events, imports } = await engine.open(t)
    await imports.add([int64Min, 2n ** 53n + 1n, int64Max].map((categoryId) => ({ ...tom, categoryId })))

    assert.deepEqual(
      (await events.list(20)).items.map(({ data }) => data),
      [
        '{"id":1,"name":"Tom","categoryId":-9223372036854775808}',
        '{"id":2,"name":"Tom","categoryId":9007199254740993}',
        '{"id":3,"name":"Tom","categoryId":9223372036854775807}',
      ],
    )
  })

  test(`${engine.name}: add after the highest animal was removed leaves events of its own animals only`, async (t) => {
    const { events, imports, pets } = await engine.open(t)
    await pets.create(mia)
    await pets.create(mia)
    await pets.remove(2n)
    await imports.add([rex, tom])

    const { items } = await events.list(20, 3n)
    assert.deepEqual(
      items.map(({ id, subject }) => [id, subject]),
      [
        [4n, 3n],
        [5n, 4n],
      ],
    )
  })

  test(`${engine.name}: a failed or empty add leaves no event`, async (t) => {
    const { events, imports } = await engine.open(t)
    await imports.add([])
    const isAdded = await imports.add([rex], () => second)

    await assert.rejects(imports.add([lost]))

    assert.equal(isAdded, false)
    assert.equal((await events.latest()).id, 0n)
  })
}

/**
 * Every character below U+0250 but NUL, a few to a name, and some above that JSON, SQL or JavaScript treat in a special
 * way.
 */
function everyName(): string[] {
  const low = Array.from({ length: 0x250 - 1 }, (_none, index) => String.fromCodePoint(index + 1))
  const names: string[] = []
  while (low.length > 0) names.push(low.splice(0, 8).join(''))
  return [
    ...names,
    '\u2028\u2029',
    '\ufeff\ufffe\uffff',
    '👩‍👩‍👧‍👦 \u{10ffff}',
    'e\u0301',
    '\\u0041\\"',
    '"""',
    '🐕'.repeat(1000),
  ]
}
