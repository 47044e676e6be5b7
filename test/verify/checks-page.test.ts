import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allChecks } from '../../verify/src/checks/all.ts'
import { operations } from '../../verify/src/checks/full/operations.ts'
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

test('F-document-1 knows every operation of the document', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, object>
  }
  const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
  const described = Object.entries(paths).map(([path, item]) => [
    path,
    Object.keys(item)
      .filter((name) => methods.has(name))
      .toSorted(),
  ])

  assert.deepEqual(operations, Object.fromEntries(described.filter(([, names]) => names?.length !== 0)))
})
