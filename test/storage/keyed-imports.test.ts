import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import type { KeyedStep } from '../../src/inventory/imports.ts'
import { idempotencyRetentionMs } from '../../src/inventory/rules/idempotency.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { engines } from '../support/engines.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const tom: NewPet = { name: 'Tom', categoryId: 2n }
const mia: NewPet = { name: 'Mia', categoryId: 1n, status: 'sold' }

const key = { keyId: 'key', name: 'spring' }
const first: KeyedStep = { key: { ...key, fingerprint: 'one' }, before: undefined, body: '{"rows":1}' }
const second: KeyedStep = { key: { ...key, fingerprint: 'two' }, before: 'one', body: '{"rows":2}' }

for (const engine of engines) {
  test(`${engine.name}: add adds its animals with ids in order, counts them and leaves events with the author`, async (t) => {
    const { imports, pets, events } = await engine.open(t)
    await pets.create(mia)

    assert.equal(await imports.add([rex, tom], undefined, '{"keyName":"Desk"}'), true)

    assert.deepEqual((await pets.list({}, 10, 0n)).items, [
      { id: 1n, ...mia },
      { id: 2n, ...rex },
      { id: 3n, ...tom },
    ])
    assert.equal(await pets.count({ categoryId: 1n }), 2n)
    const { items } = await events.list(10, 1n)
    assert.deepEqual(
      items.map(({ type, subject, author }) => [type, subject, author]),
      [
        ['pet.created', 2n, '{"keyName":"Desk"}'],
        ['pet.created', 3n, '{"keyName":"Desk"}'],
      ],
    )
  })

  test(`${engine.name}: a failed add adds nothing and stores no step`, async (t) => {
    const storage = await engine.open(t)

    await assert.rejects(storage.imports.add([rex, { ...tom, status: 'lost' } as unknown as NewPet], first))

    assert.deepEqual(await names(storage), [])
    assert.equal(await storage.imports.stepOf(key), undefined)
    assert.equal(await storage.imports.add([rex], first), true)
  })

  test(`${engine.name}: many imports add at once, and none meets what another one has staged`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.stage([mia])
    const batches = Array.from({ length: 5 }, (_none, index) => [rex, { ...tom, categoryId: BigInt(index) }])

    await Promise.all(batches.map((batch) => storage.imports.add(batch)))
    await storage.imports.addStaged(1)

    const found = await names(storage)
    assert.deepEqual(found, [...Array.from({ length: 5 }, () => ['Rex', 'Tom']).flat(), 'Mia'])
    assert.equal(await storage.pets.count({}), 11n)
  })

  test(`${engine.name}: the latest step of a key is stored with its animals`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add([rex], first)
    await storage.imports.add([tom], second)

    assert.deepEqual(await storage.imports.stepOf(key), { fingerprint: 'two', body: '{"rows":2}' })
    assert.equal(await storage.imports.stepOf({ ...key, keyId: 'other' }), undefined)
    assert.deepEqual(await names(storage), ['Rex', 'Tom'])
  })

  for (const [what, earlier, step] of [
    ['starts a key that is in use', [first], first],
    ['does not continue the stored step', [first, second], second],
    ['continues a step that is not stored', [], second],
  ] as const) {
    test(`${engine.name}: a step that ${what} adds nothing`, async (t) => {
      const storage = await engine.open(t)
      for (const before of earlier) await storage.imports.add([rex], before)
      const stored = await storage.imports.stepOf(key)

      assert.equal(await storage.imports.add([tom], step), false)

      assert.deepEqual(
        await names(storage),
        earlier.map(() => 'Rex'),
      )
      assert.deepEqual(await storage.imports.stepOf(key), stored)
    })
  }

  test(`${engine.name}: a key may start again after a day`, async (t) => {
    let now = 1_000
    const storage = await engine.open(t, () => now)
    await storage.imports.add([rex], first)
    now += idempotencyRetentionMs

    assert.equal(await storage.imports.stepOf(key), undefined)
    assert.equal(await storage.imports.add([tom], first), true)
    assert.deepEqual(await names(storage), ['Rex', 'Tom'])
  })

  test(`${engine.name}: a create with the key of an import is a mismatch`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add([rex], first)

    assert.deepEqual(await storage.pets.create(tom, { ...key, fingerprint: 'pet' }), { outcome: 'mismatch' })
  })
}

async function names({ pets }: Storage): Promise<string[]> {
  return (await pets.list({}, 100, 0n)).items.map(({ name }) => name)
}
