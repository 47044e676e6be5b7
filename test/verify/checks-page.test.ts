import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../../src/verify/checks/all.ts'
import { checksPage } from './checks-page.ts'

test('docs/verify.md lists every check as it is: npm run verify:page', () => {
  const { now, wanted } = checksPage()

  assert.equal(now, wanted)
})

test('every check has a number of its own that names its level and section', () => {
  assert.equal(new Set(allChecks.map(({ id }) => id)).size, allChecks.length)
  for (const { id, section } of allChecks)
    assert.match(id, new RegExp(`^[CRF]-${section.replace('.', '\\.')}-[1-9][0-9]?$`))
})
