import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhook } from '../../../src/inventory/rules/create-webhook.ts'
import { disableWebhook } from '../../../src/inventory/rules/disable-webhook.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { removeWebhook } from '../../../src/inventory/rules/remove-webhook.ts'
import { rotateWebhook } from '../../../src/inventory/rules/rotate-webhook.ts'
import { updateWebhook } from '../../../src/inventory/rules/update-webhook.ts'

const at = Date.UTC(2030, 0, 1)
const time = '2030-01-01T00:00:00.000Z'
const url = 'https://example.com/'
const rex = { id: 1n, name: 'Rex', categoryId: 1n }
const format = 'json'
const stored = { id: 1n, url, format, createdAt: time, secret: 'whsec_', startsAfter: 3n, activeSince: time } as const

test('a webhook starts after the events of the decisions before it', () => {
  const facts = loadedFacts({ lastIds: { events: 7n, webhooks: 2n }, rowCounts: { webhooks: 0 } })
  facts.apply({ type: 'pet.created', pet: rex, at })

  const { changes } = createWebhook(facts, { webhook: { url }, secret: 'whsec_', at })

  assert.deepEqual(changes, [{ type: 'resource.put', table: 'webhooks', item: { ...stored, id: 3n, startsAfter: 8n } }])
})

test('a webhook is stored with its types and description, and shown without its secret', () => {
  const webhook = { url, types: ['petstore.pet.created', 'petstore.order.placed'], description: 'Till' } as const
  const { outcome, changes } = createWebhook(loadedFacts({ rowCounts: { webhooks: 0 } }), {
    webhook: { ...webhook, types: [...webhook.types] },
    secret: 'whsec_',
    at,
  })

  const types = webhook.types.join(' ')
  const item = { ...stored, types, description: 'Till', startsAfter: 0n }
  assert.deepEqual(changes, [{ type: 'resource.put', table: 'webhooks', item }])
  assert.deepEqual(outcome, {
    outcome: 'created',
    webhook: { id: 1n, ...webhook, format, enabled: true, createdAt: time },
    secret: 'whsec_',
  })
})

test('the limit counts the webhooks of the decisions before', () => {
  const facts = loadedFacts({ rowCounts: { webhooks: 999 } })
  const first = createWebhook(facts, { webhook: { url }, secret: 'whsec_', at })
  for (const change of first.changes) facts.apply(change)

  const second = createWebhook(facts, { webhook: { url }, secret: 'whsec_', at })
  facts.apply({ type: 'resource.removed', table: 'webhooks', id: 1n })
  const third = createWebhook(facts, { webhook: { url }, secret: 'whsec_', at })

  assert.deepEqual(second, { outcome: { outcome: 'full' }, changes: [] })
  assert.deepEqual([first.outcome.outcome, third.outcome.outcome], ['created', 'created'])
})

test('a change of other members leaves the state of a disabled webhook as it is', () => {
  const webhook = { ...stored, disabledAt: time, disabledReason: 'gone' as const }
  const facts = loadedFacts({ webhooks: [webhook], lastIds: { events: 9n } })

  const { changes } = updateWebhook(facts, { id: 1n, change: { description: 'new' }, at: at + 1 })

  assert.deepEqual(changes, [{ type: 'resource.put', table: 'webhooks', item: { ...webhook, description: 'new' } }])
})

test('a webhook that is disabled, or is another by now, is not disabled', () => {
  const facts = loadedFacts({ webhooks: [stored, { ...stored, id: 2n, disabledAt: time }] })
  const decide = (id: bigint, activeSince: number) => disableWebhook(facts, { id, reason: 'failed', activeSince, at })

  assert.deepEqual(decide(1n, at - 1).outcome, { isDisabled: false })
  assert.deepEqual(decide(2n, at).outcome, { isDisabled: false })
  assert.deepEqual(decide(3n, at).outcome, { isDisabled: false })
  assert.deepEqual(decide(1n, at), {
    outcome: { isDisabled: true },
    changes: [
      {
        type: 'resource.put',
        table: 'webhooks',
        item: { ...stored, disabledAt: time, disabledReason: 'failed' },
      },
    ],
  })
})

test('a webhook is disabled whatever its age if none is named', () => {
  const facts = loadedFacts({ webhooks: [stored] })

  assert.deepEqual(disableWebhook(facts, { id: 1n, reason: 'gone', at }).outcome, { isDisabled: true })
})

test('a webhook with another address counts its failures from then on', () => {
  const moved = { ...stored, url: 'https://example.com/new', activeSince: '2030-01-01T00:00:00.001Z' }

  const decision = updateWebhook(loadedFacts({ webhooks: [stored] }), {
    id: 1n,
    change: { url: moved.url },
    at: at + 1,
  })

  assert.deepEqual(decision, {
    outcome: { outcome: 'updated', webhook: { id: 1n, url: moved.url, format, enabled: true, createdAt: time } },
    changes: [{ type: 'resource.put', table: 'webhooks', item: moved }],
  })
})

test('a webhook that is disabled on request has the reason, and is enabled again with the events from then on', () => {
  const facts = loadedFacts({ webhooks: [stored], lastIds: { events: 9n } })
  const off = { ...stored, disabledAt: '2030-01-01T00:00:00.001Z', disabledReason: 'requested' as const }
  const on = { ...stored, startsAfter: 9n, activeSince: '2030-01-01T00:00:00.002Z' }

  const disabled = updateWebhook(facts, { id: 1n, change: { enabled: false }, at: at + 1 })
  for (const change of disabled.changes) facts.apply(change)
  const enabled = updateWebhook(facts, { id: 1n, change: { enabled: true }, at: at + 2 })

  assert.deepEqual(disabled.changes, [{ type: 'resource.put', table: 'webhooks', item: off }])
  assert.deepEqual(enabled.changes, [{ type: 'resource.put', table: 'webhooks', item: on }])
})

test('a webhook keeps its state if it has the one that is asked for', () => {
  const off = { ...stored, id: 2n, disabledAt: time, disabledReason: 'gone' as const }
  const facts = loadedFacts({ webhooks: [stored, off], lastIds: { events: 9n } })

  const states = [
    updateWebhook(facts, { id: 1n, change: { enabled: true }, at: at + 1 }),
    updateWebhook(facts, { id: 2n, change: { enabled: false }, at: at + 1 }),
  ].map(({ changes }) => changes)

  assert.deepEqual(states, [
    [{ type: 'resource.put', table: 'webhooks', item: stored }],
    [{ type: 'resource.put', table: 'webhooks', item: off }],
  ])
})

test('a webhook is removed', () => {
  assert.deepEqual(removeWebhook(loadedFacts({ webhooks: [stored] }), { id: 1n }), {
    outcome: { outcome: 'removed' },
    changes: [{ type: 'resource.removed', table: 'webhooks', id: 1n }],
  })
})

test('the secret before a rotation also signs for a day', () => {
  const previousSecretExpiresAt = '2030-01-02T00:00:00.000Z'
  const item = { ...stored, secret: 'whsec_new', previousSecret: 'whsec_', previousSecretExpiresAt }

  assert.deepEqual(rotateWebhook(loadedFacts({ webhooks: [stored] }), { id: 1n, secret: 'whsec_new', at }), {
    outcome: {
      outcome: 'rotated',
      webhook: { id: 1n, url, format, enabled: true, createdAt: time },
      secret: 'whsec_new',
      previousSecretExpiresAt,
    },
    changes: [{ type: 'resource.put', table: 'webhooks', item }],
  })
})

test('a webhook that does not exist, or is not as the client saw it, is not changed', () => {
  const facts = loadedFacts({ webhooks: [stored] })
  const precondition = { match: ['"another"'] }
  const decisions = [
    updateWebhook(facts, { id: 2n, change: {}, at }),
    removeWebhook(facts, { id: 2n }),
    rotateWebhook(facts, { id: 2n, secret: 'whsec_new', at }),
    updateWebhook(facts, { id: 1n, change: {}, precondition, at }),
    removeWebhook(facts, { id: 1n, precondition }),
  ]

  assert.deepEqual(
    decisions.map(({ outcome }) => outcome.outcome),
    ['missing', 'missing', 'missing', 'unmet', 'unmet'],
  )
  for (const { changes } of decisions) assert.deepEqual(changes, [])
})
