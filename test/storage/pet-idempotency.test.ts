import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { idempotencyKey, created, rex } from '../support/stored-pets.ts'

const day = 24 * 60 * 60 * 1000

for (const engine of engines) {
  test(`${engine.name}: the same Idempotency-Key returns the first animal and adds none`, async (t) => {
    const { pets } = await engine.open(t)
    const first = created(await pets.create(rex, idempotencyKey))

    const again = await pets.create(rex, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', pet: first.pet })
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: the same Idempotency-Key with another body is a mismatch and adds none`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, idempotencyKey)

    const again = await pets.create({ ...rex, name: 'Tom' }, { ...idempotencyKey, fingerprint: 'of Tom' })

    assert.deepEqual(again, { outcome: 'mismatch' })
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: a mismatch does not change the first record`, async (t) => {
    const { pets } = await engine.open(t)
    const first = created(await pets.create(rex, idempotencyKey))
    await pets.create(rex, { ...idempotencyKey, fingerprint: 'of Tom' })

    const again = await pets.create(rex, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', pet: first.pet })
  })

  test(`${engine.name}: responses older than a day are deleted, a thousand at a time, and younger ones stay`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets, deleteExpiredResponses } = await engine.open(t, () => now)
    const create = (name: string) => pets.create(rex, { ...idempotencyKey, name })
    await Promise.all(Array.from({ length: 1_001 }, (_none, index) => create(`old ${index}`)))
    now += 1
    await create('young')

    now += day - 1
    const deleted = [await deleteExpiredResponses(), await deleteExpiredResponses(), await deleteExpiredResponses()]

    assert.deepEqual(deleted, [1_000, 1, 0])
    assert.equal((await create('young')).outcome, 'replayed')
  })

  test(`${engine.name}: Idempotency-Keys are scoped to the API key`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, idempotencyKey)

    const other = await pets.create(rex, { ...idempotencyKey, keyId: 'key_b' })

    assert.deepEqual(other, { outcome: 'created', pet: { id: 2n, ...rex } })
  })

  test(`${engine.name}: different Idempotency-Keys add different animals`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, idempotencyKey)

    const other = await pets.create(rex, { ...idempotencyKey, name: 'second try' })

    assert.deepEqual(other, { outcome: 'created', pet: { id: 2n, ...rex } })
  })

  test(`${engine.name}: Idempotency-Keys are case-sensitive`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, idempotencyKey)

    const other = await pets.create(rex, { ...idempotencyKey, name: 'FIRST TRY' })

    assert.equal(other.outcome, 'created')
  })

  test(`${engine.name}: an Idempotency-Key is remembered for a day`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    const first = created(await pets.create(rex, idempotencyKey))

    now += day - 1
    const again = await pets.create(rex, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', pet: first.pet })
  })

  test(`${engine.name}: a replay does not extend the day`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    await pets.create(rex, idempotencyKey)
    now += day - 1
    await pets.create(rex, idempotencyKey)

    now += 2
    const again = await pets.create(rex, idempotencyKey)

    assert.equal(again.outcome, 'created')
  })

  test(`${engine.name}: an Idempotency-Key expires after a day`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    await pets.create(rex, idempotencyKey)

    now += day + 1
    const again = await pets.create(rex, { ...idempotencyKey, fingerprint: 'of something else' })

    assert.deepEqual(again, { outcome: 'created', pet: { id: 2n, ...rex } })
  })

  test(`${engine.name}: an Idempotency-Key reused after a day is remembered for another`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    await pets.create(rex, idempotencyKey)
    now += day + 1
    const second = created(await pets.create(rex, idempotencyKey))

    now += day - 1
    const again = await pets.create(rex, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', pet: second.pet })
  })

  test(`${engine.name}: concurrent creates with one Idempotency-Key add one animal`, async (t) => {
    const { pets } = await engine.open(t)

    const creations = await Promise.all(Array.from({ length: 20 }, () => pets.create(rex, idempotencyKey)))

    assert.deepEqual(creations.map(({ outcome }) => outcome).toSorted(), [
      'created',
      ...Array.from({ length: 19 }, () => 'replayed'),
    ])
    assert.equal(new Set(creations.map((creation) => created(creation).pet.id)).size, 1)
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: a replay returns the animal as it was created, even if it was changed or removed`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex, idempotencyKey))
    await pets.update(1n, { name: 'Max' })
    await pets.remove(1n)

    const again = await pets.create(rex, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', pet })
  })
}
