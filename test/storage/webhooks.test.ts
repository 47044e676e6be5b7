import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeWebhook } from '../../src/contract/webhook.ts'
import { entityTag } from '../../src/inventory/precondition.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { secretGraceMs } from '../../src/inventory/webhooks.ts'
import { engines } from '../support/engines.ts'

const url = 'https://shop.example.com/hook'
const start = Date.UTC(2030, 0, 1)
const rex = { name: 'Rex', categoryId: 1n }

for (const engine of engines) {
  test(`${engine.name}: a new webhook is enabled and starts after the latest event`, async (t) => {
    const storage = await engine.open(t, () => start)
    await storage.pets.create(rex)

    const creation = await storage.webhooks.create({ url, types: ['petstore.pet.created'], description: 'Für Rex 🐕' })

    assert.ok(creation.outcome === 'created')
    const { webhook, secret } = creation
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(webhook, {
      id: 1n,
      url,
      types: ['petstore.pet.created'],
      description: 'Für Rex 🐕',
      format: 'json',
      enabled: true,
      createdAt: '2030-01-01T00:00:00.000Z',
    })
    assert.deepEqual(await storage.webhooks.find(1n), webhook)
    assert.deepEqual(await storage.webhooks.enabled(), [
      {
        id: 1n,
        url,
        types: new Set(['petstore.pet.created']),
        format: 'json',
        secret,
        startsAfter: 1n,
        activeSince: start,
      },
    ])
  })

  test(`${engine.name}: a webhook keeps the format that it was made with or changed to`, async (t) => {
    const { webhooks } = await engine.open(t)
    await webhooks.create({ url, format: 'cloudevents' })
    await webhooks.create({ url })

    await webhooks.update(1n, { description: 'Till' })
    await webhooks.update(2n, { format: 'cloudevents' })
    const changed = (await webhooks.list(2, 0n)).items.map(({ format }) => format)
    await webhooks.update(1n, { format: 'json' })

    assert.deepEqual(changed, ['cloudevents', 'cloudevents'])
    assert.deepEqual(
      (await webhooks.enabled()).map(({ format }) => format),
      ['json', 'cloudevents'],
    )
    assert.equal((await webhooks.endpoint(2n))?.format, 'cloudevents')
  })

  test(`${engine.name}: a webhook starts between the events before and after it, also in one group of writes`, async (t) => {
    const { pets, webhooks } = await engine.open(t)
    await pets.create(rex)

    await Promise.all([pets.update(1n, { name: 'Max' }), add({ webhooks }), pets.remove(1n), add({ webhooks })])

    const endpoints = await webhooks.enabled()
    assert.deepEqual(
      endpoints.map(({ id, startsAfter }) => [id, startsAfter]),
      [
        [1n, 2n],
        [2n, 3n],
      ],
    )
  })

  test(`${engine.name}: an id of a webhook is never used twice`, async (t) => {
    const { webhooks } = await engine.open(t)
    await add({ webhooks })
    await add({ webhooks })

    assert.deepEqual(await webhooks.remove(2n), { outcome: 'removed' })
    assert.deepEqual(await webhooks.remove(2n), { outcome: 'missing' })

    assert.equal(await add({ webhooks }), 3n)
    assert.equal(await webhooks.find(2n), undefined)
  })

  test(`${engine.name}: webhooks are listed in pages, ascending by id`, async (t) => {
    const { webhooks } = await engine.open(t)
    for (let count = 0; count < 3; count++) await add({ webhooks })

    const first = await webhooks.list(2, 0n)
    const second = await webhooks.list(2, 2n)

    assert.deepEqual([first.items.map(({ id }) => id), first.more], [[1n, 2n], true])
    assert.deepEqual([second.items.map(({ id }) => id), second.more], [[3n], false])
  })

  test(`${engine.name}: a shop has at most 1,000 webhooks, also if many are made at once`, async (t) => {
    const { webhooks } = await engine.open(t)
    const creations = await Promise.all(Array.from({ length: 1_001 }, () => webhooks.create({ url })))

    assert.equal(creations.filter(({ outcome }) => outcome === 'created').length, 1_000)
    assert.deepEqual(creations.at(-1), { outcome: 'full' })
    await webhooks.remove(7n)
    assert.equal((await webhooks.create({ url })).outcome, 'created')
    assert.equal((await webhooks.create({ url })).outcome, 'full')
    assert.equal((await webhooks.enabled()).length, 1_000)
  })

  test(`${engine.name}: an update changes the given members, and null removes them`, async (t) => {
    const { webhooks } = await engine.open(t, () => start)
    await webhooks.create({ url, types: ['petstore.pet.deleted'], description: 'old' })
    const createdAt = '2030-01-01T00:00:00.000Z'

    const one = await webhooks.update(1n, { url: `${url}/2`, types: ['petstore.order.placed', 'petstore.pet.created'] })
    const two = await webhooks.update(1n, { types: null, description: null })

    assert.deepEqual(one, {
      outcome: 'updated',
      webhook: {
        id: 1n,
        url: `${url}/2`,
        types: ['petstore.order.placed', 'petstore.pet.created'],
        description: 'old',
        format: 'json',
        enabled: true,
        createdAt,
      },
    })
    const changed = { id: 1n, url: `${url}/2`, format: 'json', enabled: true, createdAt }
    assert.deepEqual(two, { outcome: 'updated', webhook: changed })
    assert.deepEqual(await webhooks.find(1n), two.webhook)
    assert.deepEqual(await webhooks.update(2n, {}), { outcome: 'missing' })
  })

  test(`${engine.name}: a webhook that is enabled again starts after the latest event`, async (t) => {
    let now = start
    const { pets, webhooks } = await engine.open(t, () => now)
    await add({ webhooks })

    const disabled = await webhooks.update(1n, { enabled: false })
    await pets.create(rex)
    now += 1_000
    const stillDisabled = await webhooks.update(1n, { enabled: false, description: 'paused' })
    const whileDisabled = await webhooks.enabled()
    const enabled = await webhooks.update(1n, { enabled: true })
    await pets.create(rex)
    now += 1_000
    await webhooks.update(1n, { enabled: true })

    const state = { enabled: false, disabledAt: '2030-01-01T00:00:00.000Z', disabledReason: 'requested' }
    assert.deepEqual(stateOf(disabled), state)
    assert.deepEqual(stateOf(stillDisabled), state, 'the first time and reason stay')
    assert.deepEqual(whileDisabled, [])
    assert.deepEqual(stateOf(enabled), { enabled: true, disabledAt: undefined, disabledReason: undefined })
    const [endpoint] = await webhooks.enabled()
    assert.deepEqual([endpoint?.startsAfter, endpoint?.activeSince], [1n, start + 1_000])
  })

  test(`${engine.name}: another address keeps the position of a webhook, and its failures do not count any more`, async (t) => {
    let now = start
    const { pets, webhooks } = await engine.open(t, () => now)
    await add({ webhooks })
    await pets.create(rex)
    now += 1_000

    await webhooks.update(1n, { url, description: 'the same address' })
    const [same] = await webhooks.enabled()
    await webhooks.update(1n, { url: `${url}/new` })
    const [moved] = await webhooks.enabled()

    assert.deepEqual([same?.startsAfter, same?.activeSince], [0n, start])
    assert.deepEqual([moved?.startsAfter, moved?.activeSince], [0n, start + 1_000])
  })

  test(`${engine.name}: a webhook is disabled once, with its first reason`, async (t) => {
    let now = start
    const { webhooks } = await engine.open(t, () => now)
    await add({ webhooks })

    const results = [await webhooks.disable(1n, 'gone'), ((now += 5), await webhooks.disable(1n, 'failed'))]

    assert.deepEqual(results, [true, false])
    assert.equal(await webhooks.disable(7n, 'gone'), false)
    const { disabledAt, disabledReason } = (await webhooks.find(1n)) ?? {}
    assert.deepEqual([disabledAt, disabledReason], ['2030-01-01T00:00:00.000Z', 'gone'])
  })

  test(`${engine.name}: a webhook that got another address meanwhile is not disabled for the failures of the old one`, async (t) => {
    let now = start
    const { webhooks } = await engine.open(t, () => now)
    await add({ webhooks })
    const [failing] = await webhooks.enabled()
    now += 1_000
    await webhooks.update(1n, { url: `${url}/repaired` })

    assert.equal(await webhooks.disable(1n, 'failed', failing?.activeSince), false)
    assert.equal(await webhooks.disable(1n, 'failed', now), true)
  })

  test(`${engine.name}: all webhooks can be disabled at once`, async (t) => {
    const { webhooks } = await engine.open(t)
    for (let count = 0; count < 3; count++) await add({ webhooks })
    await webhooks.disable(2n, 'gone')

    assert.equal(await webhooks.disableAll('restored'), 2)

    const { items } = await webhooks.list(10, 0n)
    assert.deepEqual(
      items.map(({ disabledReason }) => disabledReason),
      ['restored', 'gone', 'restored'],
    )
    assert.equal(await webhooks.disableAll('copied'), 0)
  })

  test(`${engine.name}: for 24 hours after a rotation the previous secret signs, too`, async (t) => {
    const { webhooks } = await engine.open(t, () => start)
    const created = await webhooks.create({ url })
    const once = await webhooks.rotate(1n)
    const twice = await webhooks.rotate(1n)

    assert.ok(created.outcome === 'created' && once.outcome === 'rotated' && twice.outcome === 'rotated')
    assert.equal(once.previousSecretExpiresAt, '2030-01-02T00:00:00.000Z')
    assert.deepEqual(once.webhook, created.webhook)
    assert.equal(new Set([created.secret, once.secret, twice.secret]).size, 3)
    const [endpoint] = await webhooks.enabled()
    assert.deepEqual(
      [endpoint?.secret, endpoint?.previousSecret],
      [twice.secret, { secret: once.secret, expiresAt: start + secretGraceMs }],
      'the secret from before the first rotation ends at once',
    )
    assert.deepEqual(await webhooks.rotate(2n), { outcome: 'missing' })
  })

  test(`${engine.name}: a webhook is changed and removed only if its precondition holds`, async (t) => {
    const { webhooks } = await engine.open(t)
    const creation = await webhooks.create({ url, types: ['petstore.pet.created'], description: '"\\ \u2028 🐕' })
    const tag = entityTag(creation.outcome === 'created' ? encodeWebhook(creation.webhook) : '')

    assert.deepEqual(await webhooks.update(1n, { enabled: false }, { match: ['"other"'] }), { outcome: 'unmet' })
    assert.deepEqual(await webhooks.remove(1n, { noneMatch: [tag] }), { outcome: 'unmet' })
    assert.equal((await webhooks.update(1n, { description: 'new' }, { match: [tag] })).outcome, 'updated')
    assert.deepEqual(await webhooks.remove(1n, { match: [tag] }), { outcome: 'unmet' })
    assert.deepEqual(await webhooks.remove(1n), { outcome: 'removed' })
  })
}

async function add({ webhooks }: Pick<Storage, 'webhooks'>): Promise<bigint> {
  const creation = await webhooks.create({ url })
  assert.ok(creation.outcome === 'created')
  return creation.webhook.id
}

function stateOf(update: Awaited<ReturnType<Storage['webhooks']['update']>>) {
  assert.ok(update.outcome === 'updated')
  const { enabled, disabledAt, disabledReason } = update.webhook
  return { enabled, disabledAt, disabledReason }
}
