import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodePet } from '../../src/contract/json.ts'
import type { NewPet, Pet } from '../../src/contract/pet.ts'
import type { IdempotencyKey } from '../../src/inventory/idempotency-key.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Creation, PetFilter, Pets } from '../../src/inventory/pets.ts'
import { entityTag, type Precondition } from '../../src/inventory/precondition.ts'
import { engines } from '../support/engines.ts'

const day = 24 * 60 * 60 * 1000
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const attempt: IdempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of Rex' }

const names = {
  'an emoji of several code points': '👩‍👩‍👧‍👦 🐇',
  'right to left text': 'كلب \u202eabc\u202c שלום',
  'combining marks that could be composed': 'e\u0301 n\u0303 \u1112\u1161\u11ab',
  'white space at both ends': ' \t Rex\r\n\u00a0\u2028',
  'a byte order mark': '\ufeffRex\ufeff',
  'quotes and backslashes': `"'\\"';--\\u0041`,
  'control characters': '\u0001\u001f\u007f\u0085',
  'the highest code point': '\u{10ffff}\uffff\ufffe',
  'digits that look like numbers': '1.0 1e3 12345678901234567890',
  'a thousand emoji': '🐕'.repeat(1000),
}

for (const engine of engines) {
  test(`${engine.name}: list of an empty shop is empty`, async (t) => {
    const { pets } = await engine.open(t)

    const page = await pets.list({}, 20, 0n)

    assert.deepEqual(page, { items: [], more: false })
  })

  test(`${engine.name}: list is ascending by id, the order of creation`, async (t) => {
    const { pets } = await engine.open(t)
    for (const name of ['c', 'a', 'b']) await pets.create({ name, categoryId: 1n })

    const { items } = await pets.list({}, 20, 0n)

    assert.deepEqual(
      items.map(({ id, name }) => [id, name]),
      [
        [1n, 'c'],
        [2n, 'a'],
        [3n, 'b'],
      ],
    )
  })

  test(`${engine.name}: list by a filter is ascending by id`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 12)

    const { items } = await pets.list({ status: 'sold' }, 20, 0n)

    assert.deepEqual(idsOf(items), [3n, 6n, 9n, 12n])
  })

  test(`${engine.name}: list returns at most limit animals`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 5)

    const { items } = await pets.list({}, 3, 0n)

    assert.deepEqual(idsOf(items), [1n, 2n, 3n])
  })

  test(`${engine.name}: list has a next page if an animal follows`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 4)

    const { more } = await pets.list({}, 3, 0n)

    assert.equal(more, true)
  })

  test(`${engine.name}: list has no next page if the limit fits exactly`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    const { items, more } = await pets.list({}, 3, 0n)

    assert.equal(items.length, 3)
    assert.equal(more, false)
  })

  test(`${engine.name}: list has no next page if no matching animal follows`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ ...rex, status: 'sold' })
    await pets.create({ ...rex, status: 'pending' })

    const { more } = await pets.list({ status: 'sold' }, 1, 0n)

    assert.equal(more, false)
  })

  test(`${engine.name}: list returns only animals with an id above after`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 5)

    const page = await pets.list({}, 20, 3n)

    assert.deepEqual(idsOf(page.items), [4n, 5n])
    assert.equal(page.more, false)
  })

  test(`${engine.name}: a list after an id that was never assigned is gone`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 2)

    assert.deepEqual(await pets.list({}, 20, 2n), { items: [], more: false })
    await assert.rejects(pets.list({}, 20, 3n), { code: 'gone' })
    await assert.rejects(pets.list({}, 20, int64Max), { code: 'gone' })
  })

  test(`${engine.name}: list pages neither repeat nor skip an animal while others are added`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 7)
    const seen: bigint[] = []
    let after = 0n

    for (let more = true; more; ) {
      const page = await pets.list({}, 2, after)
      await pets.create(rex)
      seen.push(...idsOf(page.items))
      after = seen.at(-1) ?? after
      more = page.more && seen.length < 12
    }

    assert.deepEqual(
      seen,
      seen.map((_id, index) => BigInt(index + 1)),
    )
    assert.ok(seen.length >= 12)
  })

  for (const status of ['available', 'pending', 'sold'] as const) {
    test(`${engine.name}: list returns only animals of the status ${status}`, async (t) => {
      const { pets } = await engine.open(t)
      const all = await fill(pets, 12)

      const { items } = await pets.list({ status }, 20, 0n)

      assert.equal(items.length, 4)
      assert.deepEqual(
        items,
        all.filter((pet) => pet.status === status),
      )
    })
  }

  test(`${engine.name}: list returns only animals of the requested category`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 12)

    const { items } = await pets.list({ categoryId: 1n }, 20, 0n)

    assert.equal(items.length, 6)
    assert.deepEqual(
      items,
      all.filter(({ categoryId }) => categoryId === 1n),
    )
  })

  test(`${engine.name}: list returns only the animal with the requested id`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 3)

    const page = await pets.list({ id: 2n }, 20, 0n)

    assert.deepEqual(page, { items: [all[1]], more: false })
  })

  test(`${engine.name}: list with an unknown id is empty`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    const page = await pets.list({ id: 4n }, 20, 0n)

    assert.deepEqual(page, { items: [], more: false })
  })

  test(`${engine.name}: list with an id that is not above after is empty`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    const page = await pets.list({ id: 2n }, 20, 2n)

    assert.deepEqual(page, { items: [], more: false })
  })

  test(`${engine.name}: list and count agree on`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 14)

    for (const filter of everyFilter()) {
      await t.test(`animals within all filters of ${spell(filter)}`, async () => {
        const { status, categoryId, id } = filter
        const expected = all
          .filter((pet) => status === undefined || pet.status === status)
          .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
          .filter((pet) => id === undefined || pet.id === id)

        const { items } = await pets.list(filter, 100, 0n)
        const count = await pets.count(filter)

        assert.deepEqual(items, expected)
        assert.equal(count, BigInt(expected.length))
      })
    }
  })

  test(`${engine.name}: list pages through both filters without repeats or gaps`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 18)
    const filter = { status: 'sold', categoryId: 1n } as const

    const first = await pets.list(filter, 2, 0n)
    const second = await pets.list(filter, 2, first.items.at(-1)?.id ?? 0n)

    assert.deepEqual([idsOf(first.items), first.more], [[3n, 9n], true])
    assert.deepEqual([idsOf(second.items), second.more], [[15n], false])
  })

  test(`${engine.name}: no status filter returns an animal without a status`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Coco', categoryId: 4n })

    const pages = await Promise.all(
      (['available', 'pending', 'sold'] as const).map((status) => pets.list({ status }, 20, 0n)),
    )

    assert.deepEqual(
      pages.flatMap(({ items }) => items),
      [],
    )
  })

  test(`${engine.name}: count of an empty shop is 0`, async (t) => {
    const { pets } = await engine.open(t)

    assert.equal(await pets.count({}), 0n)
  })

  test(`${engine.name}: count grows with every animal added`, async (t) => {
    const { pets } = await engine.open(t)
    const counts: bigint[] = []

    for (let added = 0; added < 3; added++) {
      await pets.create(rex)
      counts.push(await pets.count({}))
    }

    assert.deepEqual(counts, [1n, 2n, 3n])
  })

  test(`${engine.name}: count includes animals without a status, and no status filter does`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Coco', categoryId: 4n })

    assert.equal(await pets.count({}), 1n)
    assert.equal(await pets.count({ categoryId: 4n }), 1n)
    assert.equal(await pets.count({ status: 'available' }), 0n)
  })

  test(`${engine.name}: find resolves to the animal with this id`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 3)

    assert.deepEqual(await pets.find(2n), all[1])
  })

  test(`${engine.name}: find resolves to undefined for an unknown id`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    for (const id of [0n, -1n, 4n, int64Max, int64Min]) assert.equal(await pets.find(id), undefined)
  })

  test(`${engine.name}: create resolves to the animal with its new id`, async (t) => {
    const { pets } = await engine.open(t)

    const creation = await pets.create(rex)

    assert.deepEqual(creation, { outcome: 'created', pet: { id: 1n, ...rex } })
  })

  test(`${engine.name}: an animal can be read as soon as create resolves`, async (t) => {
    const { pets } = await engine.open(t)

    const { pet } = created(await pets.create(rex))

    assert.deepEqual(await pets.find(pet.id), pet)
    assert.deepEqual((await pets.list({}, 20, 0n)).items, [pet])
  })

  test(`${engine.name}: create assigns the ids 1, 2, 3`, async (t) => {
    const { pets } = await engine.open(t)

    const all = await fill(pets, 3)

    assert.deepEqual(idsOf(all), [1n, 2n, 3n])
  })

  test(`${engine.name}: two animals may have the same name`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)
    await pets.create(rex)

    const { items } = await pets.list({}, 20, 0n)

    assert.deepEqual(items, [
      { id: 1n, ...rex },
      { id: 2n, ...rex },
    ])
  })

  test(`${engine.name}: create and every read return`, async (t) => {
    const { pets } = await engine.open(t)

    for (const categoryId of [int64Min, int64Max, 2n ** 53n + 1n, -(2n ** 53n) - 1n, -1n, 0n]) {
      await t.test(`the digits of categoryId ${categoryId}`, async () => {
        const forms = await everyForm(pets, { name: 'Rex', categoryId })

        for (const form of forms) assert.equal(form?.categoryId, categoryId)
        assert.equal(await pets.count({ categoryId }), 1n)
      })
    }

    for (const [what, name] of Object.entries(names)) {
      await t.test(`byte for byte a name with ${what}`, async () => {
        const forms = await everyForm(pets, { name, categoryId: 1n })

        for (const form of forms) assert.equal(form?.name, name)
      })
    }

    await t.test('no status where none was given', async () => {
      const forms = await everyForm(pets, { name: 'Coco', categoryId: 4n })

      for (const form of forms) assert.ok(form !== undefined && !('status' in form))
    })
  })

  test(`${engine.name}: a hundred concurrent creates get a hundred different ids`, async (t) => {
    const { pets } = await engine.open(t)

    const creations = await Promise.all(
      Array.from({ length: 100 }, (_none, index) => pets.create({ name: `pet ${index}`, categoryId: 1n })),
    )

    assert.equal(new Set(creations.map((creation) => created(creation).pet.id)).size, 100)
    assert.equal(await pets.count({}), 100n)
  })

  test(`${engine.name}: concurrent creates return each caller its own animal`, async (t) => {
    const { pets } = await engine.open(t)

    const creations = await Promise.all(
      Array.from({ length: 50 }, (_none, index) => pets.create({ name: `pet ${index}`, categoryId: 1n })),
    )

    for (const [index, creation] of creations.entries()) {
      const { pet } = created(creation)
      assert.equal(pet.name, `pet ${index}`)
      assert.deepEqual(await pets.find(pet.id), pet)
    }
  })

  test(`${engine.name}: the same Idempotency-Key returns the first animal and adds none`, async (t) => {
    const { pets } = await engine.open(t)
    const first = created(await pets.create(rex, attempt))

    const again = await pets.create(rex, attempt)

    assert.deepEqual(again, { outcome: 'replayed', pet: first.pet })
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: the same Idempotency-Key with another body is a mismatch and adds none`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, attempt)

    const again = await pets.create({ ...rex, name: 'Tom' }, { ...attempt, fingerprint: 'of Tom' })

    assert.deepEqual(again, { outcome: 'mismatch' })
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: a mismatch does not change the first record`, async (t) => {
    const { pets } = await engine.open(t)
    const first = created(await pets.create(rex, attempt))
    await pets.create(rex, { ...attempt, fingerprint: 'of Tom' })

    const again = await pets.create(rex, attempt)

    assert.deepEqual(again, { outcome: 'replayed', pet: first.pet })
  })

  test(`${engine.name}: Idempotency-Keys are scoped to the API key`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, attempt)

    const other = await pets.create(rex, { ...attempt, keyId: 'key_b' })

    assert.deepEqual(other, { outcome: 'created', pet: { id: 2n, ...rex } })
  })

  test(`${engine.name}: different Idempotency-Keys add different animals`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, attempt)

    const other = await pets.create(rex, { ...attempt, name: 'second try' })

    assert.deepEqual(other, { outcome: 'created', pet: { id: 2n, ...rex } })
  })

  test(`${engine.name}: Idempotency-Keys are case-sensitive`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex, attempt)

    const other = await pets.create(rex, { ...attempt, name: 'FIRST TRY' })

    assert.equal(other.outcome, 'created')
  })

  test(`${engine.name}: an Idempotency-Key is remembered for a day`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    const first = created(await pets.create(rex, attempt))

    now += day - 1
    const again = await pets.create(rex, attempt)

    assert.deepEqual(again, { outcome: 'replayed', pet: first.pet })
  })

  test(`${engine.name}: a replay does not extend the day`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    await pets.create(rex, attempt)
    now += day - 1
    await pets.create(rex, attempt)

    now += 2
    const again = await pets.create(rex, attempt)

    assert.equal(again.outcome, 'created')
  })

  test(`${engine.name}: an Idempotency-Key expires after a day`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    await pets.create(rex, attempt)

    now += day + 1
    const again = await pets.create(rex, { ...attempt, fingerprint: 'of something else' })

    assert.deepEqual(again, { outcome: 'created', pet: { id: 2n, ...rex } })
  })

  test(`${engine.name}: an Idempotency-Key reused after a day is remembered for another`, async (t) => {
    let now = Date.UTC(2030, 0, 1)
    const { pets } = await engine.open(t, () => now)
    await pets.create(rex, attempt)
    now += day + 1
    const second = created(await pets.create(rex, attempt))

    now += day - 1
    const again = await pets.create(rex, attempt)

    assert.deepEqual(again, { outcome: 'replayed', pet: second.pet })
  })

  test(`${engine.name}: concurrent creates with one Idempotency-Key add one animal`, async (t) => {
    const { pets } = await engine.open(t)

    const creations = await Promise.all(Array.from({ length: 20 }, () => pets.create(rex, attempt)))

    assert.deepEqual(creations.map(({ outcome }) => outcome).toSorted(), [
      'created',
      ...Array.from({ length: 19 }, () => 'replayed'),
    ])
    assert.equal(new Set(creations.map((creation) => created(creation).pet.id)).size, 1)
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: update changes only the given members`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    const renamed = await pets.update(1n, { name: 'Max' })
    const moved = await pets.update(1n, { categoryId: int64Min })
    const sold = await pets.update(1n, { status: 'sold' })

    assert.deepEqual(renamed, { outcome: 'updated', pet: { ...rex, id: 1n, name: 'Max' } })
    assert.deepEqual(moved, { outcome: 'updated', pet: { ...rex, id: 1n, name: 'Max', categoryId: int64Min } })
    assert.deepEqual(sold, { outcome: 'updated', pet: { id: 1n, name: 'Max', categoryId: int64Min, status: 'sold' } })
    assert.deepEqual(await pets.find(1n), { id: 1n, name: 'Max', categoryId: int64Min, status: 'sold' })
  })

  test(`${engine.name}: update can change all members, of one animal only`, async (t) => {
    const { pets } = await engine.open(t)
    const [first, , third] = await fill(pets, 3)
    const change = { name: 'Max', categoryId: 9n, status: 'sold' } as const

    const update = await pets.update(2n, change)

    assert.deepEqual(update, { outcome: 'updated', pet: { id: 2n, ...change } })
    assert.deepEqual((await pets.list({}, 20, 0n)).items, [first, { id: 2n, ...change }, third])
  })

  test(`${engine.name}: update with a status of null removes the status`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    const update = await pets.update(1n, { status: null })

    assert.deepEqual(update, { outcome: 'updated', pet: { id: 1n, name: 'Rex', categoryId: 1n } })
    assert.deepEqual(await pets.find(1n), { id: 1n, name: 'Rex', categoryId: 1n })
    assert.equal(await pets.count({ status: 'available' }), 0n)
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: update gives a status to an animal that had none`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Coco', categoryId: 4n })

    await pets.update(1n, { status: 'sold' })

    assert.deepEqual((await pets.list({ status: 'sold' }, 20, 0n)).items, [
      { id: 1n, name: 'Coco', categoryId: 4n, status: 'sold' },
    ])
  })

  test(`${engine.name}: update returns, byte for byte, a name with`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    for (const [what, name] of Object.entries(names)) {
      await t.test(what, async () => {
        const update = await pets.update(1n, { name })

        assert.equal('pet' in update && update.pet.name, name)
        assert.equal((await pets.find(1n))?.name, name)
      })
    }
  })

  test(`${engine.name}: list and count show an update`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 6)

    await pets.update(1n, { status: 'sold', categoryId: 7n })

    assert.deepEqual(idsOf((await pets.list({ status: 'available' }, 20, 0n)).items), [4n])
    assert.deepEqual(idsOf((await pets.list({ status: 'sold' }, 20, 0n)).items), [1n, 3n, 6n])
    assert.deepEqual(idsOf((await pets.list({ categoryId: 7n, status: 'sold' }, 20, 0n)).items), [1n])
    assert.equal(await pets.count({ status: 'available' }), 1n)
    assert.equal(await pets.count({ status: 'sold' }), 3n)
    assert.equal(await pets.count({ categoryId: 1n }), 2n)
    assert.equal(await pets.count({ categoryId: 7n }), 1n)
    assert.equal(await pets.count({}), 6n)
  })

  test(`${engine.name}: concurrent updates of different members all succeed`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    await Promise.all([
      pets.update(1n, { name: 'Max' }),
      pets.update(1n, { categoryId: 9n }),
      pets.update(1n, { status: 'sold' }),
    ])

    assert.deepEqual(await pets.find(1n), { id: 1n, name: 'Max', categoryId: 9n, status: 'sold' })
  })

  test(`${engine.name}: update with the current tag succeeds`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex))

    const update = await pets.update(1n, { name: 'Max' }, { match: ['"another"', entityTag(encodePet(pet))] })

    assert.equal(update.outcome, 'updated')
  })

  test(`${engine.name}: update with other tags is refused and changes nothing`, async (t) => {
    const { pets, version } = await engine.open(t)
    const { pet } = created(await pets.create(rex))
    await pets.update(1n, { name: 'Max' })
    const before = version()

    const outdated = await pets.update(1n, { status: 'sold' }, { match: [entityTag(encodePet(pet)), '"another"'] })
    const none = await pets.update(1n, { status: 'sold' }, { match: [] })

    assert.deepEqual([outdated, none], [{ outcome: 'unmet' }, { outcome: 'unmet' }])
    assert.deepEqual(await pets.find(1n), { ...pet, name: 'Max' })
    assert.equal(version(), before)
  })

  test(`${engine.name}: of concurrent updates with the same tag exactly one succeeds`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex))
    const expected = { match: [entityTag(encodePet(pet))] }

    const updates = await Promise.all(
      Array.from({ length: 50 }, (_none, index) => pets.update(1n, { name: `Rex ${index}` }, expected)),
    )

    const updated = updates.filter(({ outcome }) => outcome === 'updated')
    assert.equal(updated.length, 1)
    assert.equal(updates.filter(({ outcome }) => outcome === 'unmet').length, 49)
    assert.deepEqual(updated, [{ outcome: 'updated', pet: await pets.find(1n) }])
  })

  test(`${engine.name}: no update is lost if every update has the tag that was read`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ ...rex, name: '0' })

    async function countUp(): Promise<void> {
      for (let counted = 0; counted < 10; ) {
        const pet = (await pets.find(1n)) as Pet
        const change = { name: String(Number(pet.name) + 1) }
        const { outcome } = await pets.update(1n, change, { match: [entityTag(encodePet(pet))] })
        if (outcome === 'updated') counted++
      }
    }
    await Promise.all(Array.from({ length: 5 }, countUp))

    assert.equal((await pets.find(1n))?.name, '50')
  })

  for (const [what, change] of Object.entries({ 'no member': {}, 'the members as they are': rex })) {
    test(`${engine.name}: update with ${what} succeeds and writes nothing`, async (t) => {
      const { pets, version } = await engine.open(t)
      const { pet } = created(await pets.create(rex))
      const before = version()

      const update = await pets.update(1n, change)

      assert.deepEqual(update, { outcome: 'updated', pet })
      assert.equal(version(), before)
    })
  }

  for (const change of ['update', 'remove'] as const) {
    test(`${engine.name}: ${change} of an unknown animal is missing, whatever the precondition`, async (t) => {
      const { pets } = await engine.open(t)
      await pets.create(rex)
      const changes = {
        update: (id: bigint, precondition?: Precondition) => pets.update(id, { name: 'Max' }, precondition),
        remove: (id: bigint, precondition?: Precondition) => pets.remove(id, precondition),
      }

      for (const id of [0n, -1n, 2n, int64Max, int64Min]) {
        assert.deepEqual(await changes[change](id), { outcome: 'missing' })
        assert.deepEqual(await changes[change](id, { match: ['"anything"'] }), { outcome: 'missing' })
      }
    })
  }

  test(`${engine.name}: the status of an animal with an open order cannot be updated`, async (t) => {
    const { pets, orders, version } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })
    const before = version()

    const updates = [
      await pets.update(1n, { status: 'available' }),
      await pets.update(1n, { status: 'sold' }),
      await pets.update(1n, { status: null }),
      await pets.update(1n, { name: 'Max', status: 'sold' }),
    ]

    assert.deepEqual(
      updates,
      updates.map(() => ({ outcome: 'ordered' })),
    )
    assert.deepEqual(await pets.find(1n), { ...rex, id: 1n, status: 'pending' })
    assert.equal(version(), before)
  })

  test(`${engine.name}: other members of an animal with an open order can be updated`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })

    const update = await pets.update(1n, { name: 'Max', categoryId: 2n, status: 'pending' })
    const unchanged = await pets.update(1n, { status: 'pending' })

    const pet = { id: 1n, name: 'Max', categoryId: 2n, status: 'pending' }
    assert.deepEqual(update, { outcome: 'updated', pet })
    assert.deepEqual(unchanged, { outcome: 'updated', pet })
  })

  test(`${engine.name}: the status of an animal can be updated after its order is closed`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })
    await orders.update(1n, { status: 'completed' })

    const update = await pets.update(1n, { status: 'available' })

    assert.deepEqual(update, { outcome: 'updated', pet: { id: 1n, ...rex } })
  })

  test(`${engine.name}: a precondition is checked before open orders`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })

    assert.deepEqual(await pets.update(1n, { status: 'sold' }, { match: ['"another"'] }), { outcome: 'unmet' })
    assert.deepEqual(await pets.remove(1n, { match: ['"another"'] }), { outcome: 'unmet' })
  })

  test(`${engine.name}: a removed animal is gone from every read`, async (t) => {
    const { pets } = await engine.open(t)
    const [first, , third] = await fill(pets, 3)

    const removal = await pets.remove(2n)

    assert.deepEqual(removal, { outcome: 'removed' })
    assert.equal(await pets.find(2n), undefined)
    assert.deepEqual((await pets.list({}, 20, 0n)).items, [first, third])
    assert.deepEqual((await pets.list({ status: 'pending' }, 20, 0n)).items, [])
    assert.deepEqual((await pets.list({ categoryId: 2n }, 20, 0n)).items, [])
    assert.deepEqual(
      await Promise.all([pets.count({}), pets.count({ status: 'pending' }), pets.count({ categoryId: 2n })]),
      [2n, 0n, 0n],
    )
  })

  test(`${engine.name}: an animal can be removed only once`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create(rex)

    const removals = await Promise.all(Array.from({ length: 20 }, () => pets.remove(1n)))

    assert.equal(removals.filter(({ outcome }) => outcome === 'removed').length, 1)
    assert.equal(removals.filter(({ outcome }) => outcome === 'missing').length, 19)
    assert.equal(await pets.count({}), 0n)
  })

  test(`${engine.name}: the id of a removed animal is never assigned again, not even the highest`, async (t) => {
    const { pets, imports } = await engine.open(t)
    await fill(pets, 3)
    await pets.remove(3n)
    await pets.remove(2n)

    const { pet } = created(await pets.create(rex))
    await pets.remove(1n)
    await pets.remove(4n)
    await imports.stage([rex])
    await imports.addStaged(1)

    assert.equal(pet.id, 4n)
    assert.deepEqual(idsOf((await pets.list({}, 20, 0n)).items), [5n])
  })

  test(`${engine.name}: a replay returns the animal as it was created, even if it was changed or removed`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex, attempt))
    await pets.update(1n, { name: 'Max' })
    await pets.remove(1n)

    const again = await pets.create(rex, attempt)

    assert.deepEqual(again, { outcome: 'replayed', pet })
  })

  test(`${engine.name}: remove with the current tag succeeds`, async (t) => {
    const { pets } = await engine.open(t)
    const { pet } = created(await pets.create(rex))

    const removal = await pets.remove(1n, { match: [entityTag(encodePet(pet))] })

    assert.deepEqual(removal, { outcome: 'removed' })
  })

  test(`${engine.name}: remove with other tags is refused and removes nothing`, async (t) => {
    const { pets, version } = await engine.open(t)
    const { pet } = created(await pets.create(rex))
    const before = version()

    const removals = [await pets.remove(1n, { match: ['"another"'] }), await pets.remove(1n, { match: [] })]

    assert.deepEqual(removals, [{ outcome: 'unmet' }, { outcome: 'unmet' }])
    assert.deepEqual(await pets.find(1n), pet)
    assert.equal(version(), before)
  })

  test(`${engine.name}: an animal can be removed only without an open order`, async (t) => {
    const { pets, orders } = await engine.open(t)
    await pets.create(rex)
    await orders.place({ petId: 1n })

    const ordered = await pets.remove(1n)
    const kept = await pets.find(1n)
    await orders.update(1n, { status: 'cancelled' })
    const removal = await pets.remove(1n)

    assert.deepEqual([ordered, removal], [{ outcome: 'ordered' }, { outcome: 'removed' }])
    assert.deepEqual(kept, { ...rex, id: 1n, status: 'pending' })
  })

  test(`${engine.name}: pages repeat and skip no animal while others are removed and added`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 12)
    const seen: bigint[] = []
    const removed = new Set<bigint>()

    for (let more = true; more; ) {
      const page = await pets.list({}, 2, seen.at(-1) ?? 0n)
      seen.push(...idsOf(page.items))
      const last = seen.at(-1) ?? 0n
      // The one that the next page would go on from, one that is still to come, and one more at the end.
      for (const id of [last, last + 2n]) if ((await pets.remove(id)).outcome === 'removed') removed.add(id)
      if (seen.length < 10) await pets.create(rex)
      more = page.more
    }

    const stayed = idsOf((await pets.list({}, 100, 0n)).items)
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      stayed.filter((id) => !seen.includes(id)),
      [],
    )
    assert.ok(removed.size > 0 && seen.some((id) => id > 12n), 'nothing was removed, or nothing added was seen')
  })

  test(`${engine.name}: update and remove after close are rejected as unavailable`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(async () => storage.pets.update(1n, { name: 'Max' }), isUnavailable)
    await assert.rejects(async () => storage.pets.remove(1n), isUnavailable)
  })

  test(`${engine.name}: check resolves while the engine serves`, async (t) => {
    const storage = await engine.open(t)

    await assert.doesNotReject(storage.check())
  })

  test(`${engine.name}: check rejects if the storage is closed`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(storage.check(), isUnavailable)
  })

  test(`${engine.name}: close finishes pending creates`, async (t) => {
    const storage = await engine.open(t)
    const begun = Array.from({ length: 20 }, () => storage.pets.create(rex))

    await storage.close()

    const creations = await Promise.all(begun)
    assert.equal(new Set(creations.map((creation) => created(creation).pet.id)).size, 20)
  })

  test(`${engine.name}: close may be called twice`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.doesNotReject(storage.close())
  })

  test(`${engine.name}: create after close is rejected as unavailable`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(async () => storage.pets.create(rex), isUnavailable)
  })

  for (const read of ['list', 'count', 'find'] as const) {
    test(`${engine.name}: ${read} after close is rejected as unavailable`, async (t) => {
      const storage = await engine.open(t)
      await storage.close()
      const reads = {
        list: async () => storage.pets.list({}, 20, 0n),
        count: async () => storage.pets.count({}),
        find: async () => storage.pets.find(1n),
      }

      await assert.rejects(reads[read], isUnavailable)
    })
  }
}

/** Animals whose status changes with every one (so every third is sold) and whose category with every second. */
async function fill(pets: Pets, count: number): Promise<Pet[]> {
  const statuses = ['available', 'pending', 'sold'] as const
  const all: Pet[] = []
  for (let index = 0; index < count; index++) {
    const status = statuses[index % 3] ?? 'sold'
    const { pet } = created(await pets.create({ name: `pet ${index}`, categoryId: 1n + BigInt(index % 2), status }))
    all.push(pet)
  }
  return all
}

/** One animal as create answers it, as find and list read it, and as a replay tells it. */
async function everyForm(pets: Pets, pet: NewPet): Promise<(Pet | undefined)[]> {
  const named = { ...attempt, name: `${pet.name} ${pet.categoryId}` }
  const { pet: first } = created(await pets.create(pet, named))
  const { pet: replayed } = created(await pets.create(pet, named))
  const { items } = await pets.list({}, 1, first.id - 1n)
  return [first, replayed, await pets.find(first.id), items[0]]
}

function everyFilter(): PetFilter[] {
  const statuses: PetFilter[] = [{}, { status: 'available' }, { status: 'pending' }, { status: 'sold' }]
  const categories: PetFilter[] = [{}, { categoryId: 1n }, { categoryId: 2n }, { categoryId: 3n }]
  const ids: PetFilter[] = [{}, { id: 1n }, { id: 6n }]
  return statuses.flatMap((status) =>
    categories.flatMap((category) => ids.map((id) => ({ ...status, ...category, ...id }))),
  )
}

function created(creation: Creation): { pet: Pet } {
  assert.ok('pet' in creation, `no animal in the outcome ${creation.outcome}`)
  return creation
}

function idsOf(items: readonly Pet[]): bigint[] {
  return items.map(({ id }) => id)
}

function spell(filter: object): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name} ${String(value)}`)
  return `{ ${parts.join(', ')} }`
}

function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof PetStoreError, `not a PetStoreError but ${String(error)}`)
  assert.equal(error.code, 'unavailable')
  return true
}
