import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allChecks } from '../../verify/src/checks/all.ts'
import { type Score, sectionOf, withSection } from '../shops/score-section.ts'
import { checksPage } from './checks-page.ts'

test('docs/verify.md lists every check as it is: npm run make -- checks-page', () => {
  const { now, wanted } = checksPage()

  assert.equal(now, wanted)
})

test('docs/verify.md has the score as it was measured, and first what it was with shops that the checks were not made for', () => {
  const page = readFileSync(new URL('../../docs/verify.md', import.meta.url), 'utf8')
  const score = JSON.parse(readFileSync(new URL('../shops/score.json', import.meta.url), 'utf8')) as Score

  assert.equal(withSection(page, sectionOf(score)), page)
  assert.match(page, /## How good is it\?\n\nOf \d+ wrong shops that the checks were not made for, /)
})

test('every check has a number of its own that names its level and section', () => {
  assert.equal(new Set(allChecks.map(({ id }) => id)).size, allChecks.length)
  for (const { id, section } of allChecks)
    assert.match(id, new RegExp(`^[CRF]-${section.replace('.', '\\.')}-[1-9][0-9]?$`))
})
