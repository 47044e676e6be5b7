import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSandbox } from '../../support/sandbox.ts'
import { check } from '../check.ts'
import { record } from '../run.ts'

/** Bugs of the sandbox that answers show, whatever a client does with them: of state, concurrency, caching and paging. */
const bugs = [
  'id-used-again',
  'cancelled-stays-pending',
  'patch-removes-the-status',
  'inventory-counts-the-deleted',
  'lost-update',
  'double-sale',
  'if-match-ignored',
  'count-of-another-moment',
  'orders-not-idempotent',
  'etag-never-changes',
  'never-304',
  'stale-animal',
  'limit-ignored-with-status',
  'page-repeats-a-row',
  'page-skips-after-delete',
  'last-animal-not-paged',
  'filter-forgotten-on-page-2',
  'newest-first',
  'count-ignores-the-filter',
  'deletes-leave-no-event',
  'events-out-of-order',
  'after-skips-one',
  'list-etag-of-ids',
  'weak-tags-match',
  'delete-ignores-if-match',
  'half-a-transaction',
  'available-includes-none',
  'link-to-an-empty-page',
  'default-limit-25',
  'import-adds-twice',
  'dry-run-stores',
  'search-minds-case',
  'put-overwrites',
  'import-loses-category-names',
  'revoked-key-works-a-minute',
  'revoked-key-shown-active',
]

for (const bug of bugs) {
  test(`the history of a shop with the bug ${bug} fits no story`, async (t) => {
    const { origin, send } = await startSandbox(t)
    await send('shop', 'PUT /sandbox/bugs', [bug])
    const senders = [{ base: `${origin}/v1`, key: 'sandbox_shop' }]

    // A bug may need two clients at the same moment.
    for (let seed = 1; seed <= 10; seed++) {
      if (
        check(await record({ senders, seed, forMs: 1_000, minAnswers: 300, pauseMs: 1, patienceMs: 20_000 })).length > 0
      )
        return
    }
    assert.fail('all answers fit one story')
  })
}

test('the history of a right sandbox fits one story', async (t) => {
  const { origin } = await startSandbox(t)
  const senders = [{ base: `${origin}/v1`, key: 'sandbox_shop' }]

  assert.deepEqual(check(await record({ senders, seed: 1, forMs: 3_000, pauseMs: 1 })), [])
})
