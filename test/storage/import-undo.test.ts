import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportPart, Imports, UndoDone } from '../../src/inventory/imports.ts'
import { endOf } from '../../src/inventory/page.ts'
import type { PetQuery, Pets } from '../../src/inventory/pets.ts'
import { endedImportMs, maxImportPauseMs } from '../../src/inventory/stored-import.ts'
import { engines } from '../support/engines.ts'

const start = Date.parse('2026-01-05T09:00:00Z')

function partOf(name: string, more: Partial<ImportPart> = {}): () => ImportPart {
  return () => ({ name, keyId: 'key_a', keyName: 'Desk', rejected: 0, isLast: true, ...more })
}

const many = (count: number, name = 'Rex') =>
  Array.from({ length: count }, () => ({ name, categoryId: 1n, status: 'available' as const }))

function addTo(imports: Imports, count: number, part: () => ImportPart): Promise<boolean> {
  return imports.add(many(count), undefined, undefined, undefined, part)
}

/** All pages, to the last. */
async function idsOf({ list }: Pets, query: PetQuery, limit = 2): Promise<number[]> {
  const ids: number[] = []
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page = await list(query, limit, after)
    ids.push(...page.items.map(({ id }) => Number(id)))
    after = endOf(page)
  }
  return ids
}

async function undoAll(imports: Imports, name: string): Promise<UndoDone[]> {
  const calls: UndoDone[] = []
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const undo = await imports.undo({ name, after })
    assert.ok('done' in undo, undo.outcome)
    calls.push(undo.done)
    after = undo.done.next
  }
  return calls
}

for (const engine of engines) {
  test(`${engine.name}: an import spans its calls, and its animals are listed whatever was added in between`, async (t) => {
    const { imports, pets } = await engine.open(t, () => start)
    await addTo(imports, 3, partOf('spring', { rejected: 2, isLast: false }))
    await pets.create({ name: 'Tom', categoryId: 1n })
    await addTo(imports, 2, partOf('other'))
    await addTo(imports, 2, partOf('spring', { rejected: 1 }))
    await pets.create({ name: 'Mia', categoryId: 1n })
    await pets.update(2n, { status: 'sold' })
    await pets.remove(3n)

    assert.deepEqual(await idsOf(pets, { importId: 'spring' }), [1, 2, 7, 8])
    assert.deepEqual(await idsOf(pets, { importId: 'spring', status: 'available' }, 1), [1, 7, 8])
    assert.deepEqual(await idsOf(pets, { importId: 'spring', name: 'rex' }), [1, 2, 7, 8])
    assert.deepEqual(await idsOf(pets, { importId: 'spring', ids: [2n, 4n, 8n] }), [2, 8])
    assert.deepEqual(await idsOf(pets, { importId: 'unknown' }), [])
    const { items } = await imports.list(10, 0n)
    assert.deepEqual(
      items.map(({ name, added, rejected, keyName, startedAt }) => [name, added, rejected, keyName, startedAt]),
      [
        ['other', 2n, 0n, 'Desk', '2026-01-05T09:00:00.000Z'],
        ['spring', 5n, 3n, 'Desk', '2026-01-05T09:00:00.000Z'],
      ],
    )
    assert.deepEqual((await imports.list(1, items[0]?.id as bigint)).items, items.slice(1))
  })

  test(`${engine.name}: undo removes what nobody has changed or ordered since, and says what stays`, async (t) => {
    const { imports, pets, orders, events } = await engine.open(t)
    await pets.create({ name: 'Tom', categoryId: 1n })
    await addTo(imports, 6, partOf('spring'))
    await pets.update(3n, { name: 'Bella' })
    await orders.place({ petId: 4n })
    const placed = await orders.place({ petId: 5n })
    assert.ok(placed.outcome === 'placed')
    await orders.update(placed.order.id, { status: 'cancelled' })
    await pets.remove(6n)

    const [done] = await undoAll(imports, 'spring')
    const repeated = await undoAll(imports, 'spring')

    const keeps = [
      { id: 3n, reason: 'changed' },
      { id: 4n, reason: 'ordered' },
      { id: 5n, reason: 'changed' },
    ]
    assert.deepEqual(done, { removed: 2, kept: 3, keeps })
    assert.deepEqual(repeated, [{ removed: 0, kept: 3, keeps }])
    assert.deepEqual(await idsOf(pets, {}), [1, 3, 4, 5])
    assert.deepEqual(await idsOf(pets, { importId: 'spring' }), [3, 4, 5])
    assert.equal(await pets.count({}), 4n)
    const last = (await events.listBackwards(2)).items
    assert.deepEqual(
      last.map(({ type, subject }) => [type, subject]),
      [
        ['pet.deleted', 7n],
        ['pet.deleted', 2n],
      ],
    )
  })

  test(`${engine.name}: an undo goes on in calls of 1,000 animals, and is done with the last`, async (t) => {
    const { imports, pets } = await engine.open(t)
    for (const count of [1_500, 700, 300]) await addTo(imports, count, partOf('spring'))
    const stored = async () => (await imports.find('spring')) as { undoStartedAt?: string; undoneAt?: string }

    const first = await imports.undo({ name: 'spring', after: 0n })
    const { undoStartedAt, undoneAt } = await stored()
    const rest = await undoAll(imports, 'spring')

    assert.ok(first.outcome === 'done')
    assert.deepEqual([first.done.removed, first.done.next], [1_000, 1_000n])
    assert.ok(undoStartedAt !== undefined && undoneAt === undefined)
    assert.deepEqual(
      rest.reduce((sum, { removed }) => sum + removed, 0),
      1_500,
    )
    assert.equal(await pets.count({}), 0n)
    assert.ok((await stored()).undoneAt !== undefined)
  })

  test(`${engine.name}: nothing is added to an import of another key, nor to one that was undone`, async (t) => {
    const { imports, pets } = await engine.open(t)
    await addTo(imports, 1, partOf('spring'))

    const conflict = { code: 'conflict' }
    await assert.rejects(addTo(imports, 1, partOf('spring', { keyId: 'key_b' })), conflict)
    await undoAll(imports, 'spring')
    await assert.rejects(addTo(imports, 1, partOf('spring')), conflict)

    assert.equal(await pets.count({}), 0n)
    assert.equal(await addTo(imports, 1, partOf('summer')), true)
  })

  test(`${engine.name}: an import that runs is not undone, unless nothing was heard of it for a minute`, async (t) => {
    let now = start
    const { imports } = await engine.open(t, () => now)
    await addTo(imports, 1, partOf('spring', { isLast: false }))

    const early = await imports.undo({ name: 'spring', after: 0n })
    now += maxImportPauseMs
    const late = await imports.undo({ name: 'spring', after: 0n })

    assert.deepEqual([early.outcome, late.outcome], ['running', 'done'])
    assert.deepEqual(await imports.undo({ name: 'unknown', after: 0n }), { outcome: 'missing' })
  })

  test(`${engine.name}: an import still runs when another request of it, of one call, has ended`, async (t) => {
    const { imports } = await engine.open(t, () => start)
    await addTo(imports, 1, partOf('spring', { isLast: false }))
    await addTo(imports, 1, partOf('spring', { isOnly: true }))

    const early = await imports.undo({ name: 'spring', after: 0n })
    await addTo(imports, 1, partOf('spring'))
    const late = await imports.undo({ name: 'spring', after: 0n })

    assert.deepEqual([early.outcome, late.outcome], ['running', 'done'])
  })

  test(`${engine.name}: a mark of a clock that was set back does not count as running`, async (t) => {
    let now = start
    const { imports } = await engine.open(t, () => now)
    await addTo(imports, 1, partOf('spring', { isLast: false }))

    now -= 1

    assert.equal((await imports.undo({ name: 'spring', after: 0n })).outcome, 'done')
  })

  test(`${engine.name}: animals that are added while an undo reads are left to its next call`, async (t) => {
    const { imports, pets } = await engine.open(t)
    await addTo(imports, 3, partOf('spring'))

    // The first reads what there is; the others may add before it writes.
    const [first] = await Promise.all([
      imports.undo({ name: 'spring', after: 0n }),
      ...Array.from({ length: 5 }, () => addTo(imports, 1, partOf('spring')).catch(() => undefined)),
    ])
    assert.ok('done' in first)
    if (first.done.next !== undefined) await undoAll(imports, 'spring')

    assert.equal(await pets.count({}), 0n)
  })

  test(`${engine.name}: an idempotency key repeats what an undo did`, async (t) => {
    const { imports } = await engine.open(t)
    await addTo(imports, 2, partOf('spring'))
    const idempotencyKey = { keyId: 'key_a', name: 'undo', fingerprint: 'one' }

    const first = await imports.undo({ name: 'spring', after: 0n, idempotencyKey })
    const again = await imports.undo({ name: 'spring', after: 0n, idempotencyKey })
    const other = { ...idempotencyKey, fingerprint: 'two' }

    assert.ok('done' in first)
    assert.deepEqual(again, { outcome: 'replayed', done: first.done })
    assert.deepEqual(await imports.undo({ name: 'spring', after: 0n, idempotencyKey: other }), { outcome: 'mismatch' })
  })

  test(`${engine.name}: the same animals are known by their digest, until their import is undone`, async (t) => {
    const { imports } = await engine.open(t)
    await addTo(imports, 1, partOf('spring', { digest: 'same' }))
    await addTo(imports, 1, partOf('summer', { digest: 'same' }))
    const found = async (digest: string, except?: string) => (await imports.findByDigest(digest, except))?.name

    assert.deepEqual(
      [await found('same'), await found('same', 'summer'), await found('other')],
      ['summer', 'spring', undefined],
    )
    await undoAll(imports, 'summer')
    assert.equal(await found('same'), 'spring')
  })

  test(`${engine.name}: an import is listed and undone as long as all its events are kept`, async (t) => {
    let now = start
    const { imports, pets, events } = await engine.open(t, () => now)
    await addTo(imports, 1, partOf('spring', { digest: 'same', isLast: false }))
    now += 1_000
    await addTo(imports, 1, partOf('spring', { digest: 'same' }))
    await addTo(imports, 1, partOf('summer'))

    assert.equal(await events.forget(now), 1)

    assert.deepEqual(
      (await imports.list(10, 0n)).items.map(({ name }) => name),
      ['summer'],
    )
    assert.deepEqual(await imports.undo({ name: 'spring', after: 0n }), { outcome: 'expired' })
    assert.equal(await imports.findByDigest('same'), undefined)
    assert.deepEqual(await idsOf(pets, { importId: 'spring' }), [])
    assert.deepEqual(
      [(await imports.find('spring'))?.isListed, (await imports.find('summer'))?.isListed],
      [false, true],
    )
    // They could be neither listed nor undone.
    const refusal = { code: 'conflict', message: /not listed any more.* choose another one\.$/ }
    await assert.rejects(addTo(imports, 1, partOf('spring')), refusal)
    assert.equal(await pets.count({}), 3n)
    // Its first part and request, then in time the import.
    assert.deepEqual([await imports.forget(), await imports.forget()], [2, 0])
    assert.equal((await imports.find('spring'))?.added, 2n)
    assert.equal(await events.forget(now + 1), 2)
    now += endedImportMs
    let forgotten = 0
    for (let rows = await imports.forget(); rows > 0; rows = await imports.forget()) forgotten += rows
    // Two parts, a request, two imports.
    assert.deepEqual([forgotten, await imports.find('spring'), await imports.find('summer')], [5, undefined, undefined])
  })
}
