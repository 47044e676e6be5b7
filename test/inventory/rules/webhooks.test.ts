import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhook } from '../../../src/inventory/rules/create-webhook.ts'
import { disableWebhook } from '../../../src/inventory/rules/disable-webhook.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { updateWebhook } from '../../../src/inventory/rules/update-webhook.ts'

const at = Date.UTC(2030, 0, 1)
const time = '2030-01-01T00:00:00.000Z'
const url = 'https://example.com/'
const rex = { id: 1n, name: 'Rex', categoryId: 1n }
const stored = { id: 1n, url, createdAt: time, secret: 'whsec_', startsAfter: 3n, activeSince: time }

test('a webhook starts after the events of the decisions before it', () => {
  const facts = loadedFacts({ lastIds: { events: 7n, webhooks: 2n }, rowCounts: { webhooks: 0 } })
  facts.apply({ type: 'pet.created', pet: rex, at })

  const { changes } = createWebhook(facts, { webhook: { url }, secret: 'whsec_', at })

  assert.deepEqual(changes, [{ type: 'resource.put', table: 'webhooks', item: { ...stored, id: 3n, startsAfter: 8n } }])
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
  assert.deepEqual(decide(1n, at).outcome, { isDisabled: true })
})
