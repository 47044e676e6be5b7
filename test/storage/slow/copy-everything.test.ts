import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyHash } from '../../../src/inventory/key-secret.ts'
import { addedKinds, columnsOf, kinds } from '../../../src/inventory/snapshot.ts'
import { type CopyWatcher, copyStorage } from '../../../src/storage/copy/copy.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { postgres, sqlite } from '../../support/engines.ts'
import { rowsIn } from '../../support/snapshot.ts'
import { addMany, fillShop, unfinishedImport } from '../../support/awkward-shop.ts'
import { bothUrls, nobody, refused, writerTo } from '../../support/copied-shop.ts'

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
  [sqlite, sqlite],
  [postgres, postgres],
] as const) {
  const way = `${from.name} to ${to.name}`

  test(`${way}: a copy has every row of every kind unchanged`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)

    const { rows, digests } = await copyStorage(source, target, nobody)

    const before = await rowsIn(source)
    assert.deepEqual(withoutState(await rowsIn(target)), withoutState(before))
    for (const kind of kinds) {
      assert.ok(before[kind].length > 0, kind)
      assert.equal(digests[kind].rows, before[kind].length)
    }
    assert.equal(rows, addedKinds.flatMap((kind) => before[kind]).length)
  })

  test(`${way}: all webhooks are disabled after a copy, with their secrets and ids unchanged`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)

    const { ended } = await copyStorage(source, target, nobody)

    const [old, now] = [await openStorage(source), await openStorage(target)]
    t.after(() => Promise.all([old.close(), now.close()]))
    const [before, after] = [await old.webhooks.list(100, 0n), await now.webhooks.list(100, 0n)]
    const enabled = before.items.filter((webhook) => webhook.enabled)
    assert.ok(enabled.length > 1 && enabled.length < before.items.length)
    assert.equal(ended.webhooks, enabled.length)
    assert.deepEqual(await now.webhooks.enabled(), [])
    for (const [index, { id, disabledReason, disabledAt }] of after.items.entries()) {
      const { id: oldId, disabledReason: reason = 'copied' } = before.items[index] ?? {}
      assert.deepEqual([id, disabledReason, disabledAt !== undefined], [oldId, reason, true])
    }
  })

  test(`${way}: all open invitations have ended after a copy`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)

    const { ended } = await copyStorage(source, target, nobody)

    const [old, now] = [await openStorage(source), await openStorage(target)]
    t.after(() => Promise.all([old.close(), now.close()]))
    const [before, after] = [await old.invitations.list(100, 0n), await now.invitations.list(100, 0n)]
    assert.ok(before.items.length > 0 && before.items.every(({ expiresAt }) => Date.parse(expiresAt) > Date.now()))
    assert.equal(ended.invitations, before.items.length)
    assert.deepEqual(
      after.items,
      before.items.map((invitation) => ({ ...invitation, expiresAt: invitation.createdAt })),
    )
    const [invitation] = after.items
    assert.ok(invitation)
    const key = { id: 'key_new', hash: keyHash('new') }
    assert.deepEqual(await now.invitations.redeem(invitation, key), { outcome: 'refused' })
  })

  test(`${way}: derived data are rebuilt after a copy, and the shop works`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    await copyStorage(source, target, nobody)
    const [old, now] = [await openStorage(source), await openStorage(target)]
    t.after(() => Promise.all([old.close(), now.close()]))

    for (const filter of [{}, { categoryId: 1n }, { status: 'sold' }, { categoryId: 3n, status: 'pending' }] as const) {
      assert.equal(await now.pets.count(filter), await old.pets.count(filter))
    }
    assert.deepEqual(await now.keys.list(), await old.keys.list())
    assert.equal((await now.keys.find(keyHash('key_a')))?.revokedAt, 2_000)
    assert.equal((await now.events.latest()).id, (await old.events.latest()).id)
    assert.deepEqual(await now.imports.stepOf(unfinishedImport), { fingerprint: 'f', body: '{"rows":5000}' })
    for (const idempotencyKey of [{ keyId: 'key_1', name: 'create Rex', fingerprint: 'f' }, undefined]) {
      const pet = { name: 'Rex', categoryId: 1n }
      assert.deepEqual(await now.pets.create(pet, idempotencyKey), await old.pets.create(pet, idempotencyKey))
    }
  })

  test(`${way}: a copy interrupted after any page resumes and copies nothing twice`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    await addMany(source, 3_000)
    let copied = 0
    let stops = 0

    for (;;) {
      const before = copied
      const stopAfterOnePage: CopyWatcher = (stage, rows) => {
        if (stage !== 'copied') return
        if (copied > before) throw new Error('stopped')
        copied += rows
      }
      const copy = copyStorage(source, target, stopAfterOnePage)
      if (await copy.then(() => true, isStopped)) break
      stops++
    }

    const before = await rowsIn(source)
    assert.deepEqual(withoutState(await rowsIn(target)), withoutState(before))
    assert.ok(stops >= 5, `${stops} stops`)
  })

  test(`${way}: a finished copy has nothing to do when run again`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    const first = await copyStorage(source, target, nobody)

    const second = await copyStorage(source, target, nobody)

    assert.deepEqual(second, { rows: 0, digests: first.digests, ended: { webhooks: 0, invitations: 0 } })
  })

  test(`${way}: a copy fails if its source is changed meanwhile`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    const write = await writerTo(t, source)

    const copy = copyStorage(source, target, (stage) => {
      if (stage === 'copied') write()
    })

    await assert.rejects(copy, refused(/was changed during the copy: stop the service and copy into a new database\.$/))
    await assert.rejects(
      copyStorage(source, target, nobody),
      refused(/unfinished copy in .* is of another database, or .* was changed since: copy into a new database/),
    )
    // Both commands agree on what to do.
    await assert.rejects(openStorage(target), refused(/or copy into a new database if the source was changed since\.$/))
  })

  test(`${way}: an empty shop can be copied`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await (await openStorage(source)).close()

    assert.equal((await copyStorage(source, target, nobody)).rows, 0)
    await (await openStorage(target)).close()
  })
}

function isStopped(error: Error): false {
  if (error.message !== 'stopped') throw error
  return false
}

/** Without what a copy changes: whether a webhook is enabled, and why not. */
function withoutState(rows: Awaited<ReturnType<typeof rowsIn>>) {
  const isState = (index: number) => columnsOf.webhooks[index]?.startsWith('disabled_') ?? false
  const expiry = columnsOf.invitations.indexOf('expires_at')
  return {
    ...rows,
    webhooks: rows.webhooks.map((row) => row.filter((_value, index) => !isState(index))),
    invitations: rows.invitations.map((row) => row.toSpliced(expiry, 1)),
  }
}
