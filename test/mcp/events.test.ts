import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../support/agent.ts'
import { startApp } from '../support/app.ts'
import { startShop } from '../support/operations.ts'

for (const sort of ['id', '-id']) {
  test(`an agent pages through events and learns where they end (sort ${sort})`, async (t) => {
    const agent = await connect(t, await startShop(t, { hasMcp: true }))
    const all = (await agent.call('listEvents', { sort }))['data']

    const seen: unknown[] = []
    let page: Record<string, unknown> = {}
    do {
      const after = page['nextAfter'] === undefined ? {} : { after: page['nextAfter'] }
      page = await agent.call('listEvents', { sort, limit: 1, ...after })
      seen.push(...(page['data'] as unknown[]))
    } while (page['hasMore'] === true)

    assert.ok(seen.length > 1)
    assert.deepEqual(seen, all)
  })
}

test('an empty page of events says that there are more', async (t) => {
  const app = await startApp(t, { hasMcp: true })
  const events = app.storage.events
  t.mock.method(events, 'list', async () => ({ items: [], more: true, missed: false, end: 5000n, lineage: 'k3x9Qa7B' }))

  const page = await (await connect(t, app)).call('listEvents', { type: 'petstore.pet.deleted' })

  assert.deepEqual(page, { isError: false, data: [], nextAfter: '5000-k3x9Qa7B', hasMore: true })
})
