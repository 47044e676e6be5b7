import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import type { Storage } from '../../src/inventory/storage.ts'
import type { StoredInvitation } from '../../src/inventory/stored-invitation.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Engine, postgres, sqlite } from '../support/engines.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

// What several instances promise together. They have the same database open and nothing else in common.
for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: concurrent instances assign every id once, without gaps`, async (t) => {
    const instances = await severalOf(engine, t)

    const creations = await Promise.all(
      instances.flatMap(({ pets }) => Array.from({ length: 300 }, () => pets.create(rex))),
    )

    const ids = creations.map((creation) => ('pet' in creation ? creation.pet.id : 0n))
    assert.deepEqual(
      ids.toSorted((a, b) => Number(a - b)),
      ids.map((_id, index) => BigInt(index + 1)),
    )
    for (const { pets } of instances) assert.equal(await pets.count({}), BigInt(ids.length))
  })

  test(`${engine.name}: an invitation that is redeemed at several instances at once makes one key`, async (t) => {
    const instances = await severalOf(engine, t)
    const invitation = { name: 'Anna', permission: 'write', hash: 'hash', expiresAt: Date.now() + 3_600_000 } as const
    await instances[0]?.invitations.create(invitation)

    const found = await Promise.all(instances.map(({ invitations }) => invitations.findByHash('hash')))

    const redemptions = await Promise.all(
      instances.map(({ invitations }, index) =>
        invitations.redeem(found[index] as StoredInvitation, { id: `key_${index}`, hash: `hash ${index}` }),
      ),
    )

    assert.equal(redemptions.filter(({ outcome }) => outcome === 'redeemed').length, 1)
    for (const { keys } of instances) assert.equal((await keys.list()).length, 1)
  })

  test(`${engine.name}: the same Idempotency-Key at several instances at once adds one animal`, async (t) => {
    const instances = await severalOf(engine, t)
    const names = Array.from({ length: 50 }, (_none, index) => `attempt ${index}`)

    const creations = await Promise.all(
      names.flatMap((name) =>
        instances.map(({ pets }) => pets.create(rex, { keyId: 'key_a', name, fingerprint: 'of Rex' })),
      ),
    )

    const outcomes = creations.map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, names.length)
    assert.equal(outcomes.filter((outcome) => outcome === 'replayed').length, 2 * names.length)
    assert.equal(await instances[0]?.pets.count({}), BigInt(names.length))
  })

  test(`${engine.name}: paging while several instances create skips and repeats no animal`, async (t) => {
    const instances = await severalOf(engine, t)
    const [reader] = instances as [Storage]
    let isDone = false
    const creating = Promise.all(
      instances.map(async ({ pets }) => {
        for (let round = 0; round < 30; round++) await Promise.all(Array.from({ length: 10 }, () => pets.create(rex)))
      }),
    ).finally(() => (isDone = true))
    const seen: bigint[] = []

    for (let last = false; !last; ) {
      // What is there when all is done is there for the round that begins after that.
      last = isDone
      await nextLoopTick() // SQLite reads at once: the creates would never have theirs.
      for (let more = true; more; ) {
        const page = await reader.pets.list({ status: 'available' }, 7, seen.at(-1) ?? 0n)
        seen.push(...page.items.map(({ id }) => id))
        more = page.more
      }
    }
    await creating

    assert.deepEqual(
      seen,
      Array.from({ length: 900 }, (_none, index) => BigInt(index + 1)),
    )
  })
}

async function severalOf(engine: Engine, t: TestContext): Promise<Storage[]> {
  const url = await engine.url(t)
  const instances: Storage[] = []
  for (let opened = 0; opened < 3; opened++) instances.push(await openStorage(url))
  t.after(() => Promise.all(instances.map((instance) => instance.close())))
  return instances
}
