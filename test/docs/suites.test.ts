import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { isSlow, runsAlone, testFiles } from '../groups.ts'

const root = join(import.meta.dirname, '../..')

interface Row {
  folder: string
  suite: string
}

const alone = '`npm run test:slow`, one file at a time'

/** The rows of the table of suites in CONTRIBUTING.md, one for each folder that it names. */
function rowsOf(page: string): Row[] {
  const lines = page.split('\n')
  const start = lines.indexOf('| where | suite |') + 2
  const rows = lines.slice(
    start,
    lines.findIndex((line, index) => index > start && !line.startsWith('|')),
  )
  return rows.flatMap((row) => {
    const [, where = '', suite = ''] = row.split('|').map((cell) => cell.trim())
    if (where.startsWith('everything else')) return { folder: 'test/', suite }
    return [...where.matchAll(/`(test\/[^`]*\/)`/g)].map(([, folder = '']) => ({ folder, suite }))
  })
}

/** The row of the innermost folder that the file is in. */
function rowOf(file: string, rows: readonly Row[]): Row | undefined {
  const depth = ({ folder }: Row) => folder.split('/').length
  return rows.filter(({ folder }) => matchesGlob(file, `${folder}**`)).toSorted((a, b) => depth(b) - depth(a))[0]
}

test('the table of suites in CONTRIBUTING.md says which suite runs a test file', () => {
  const rows = rowsOf(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))
  const unused = new Set(rows)

  for (const file of testFiles(root)) {
    const row = rowOf(file, rows)
    const slow = runsAlone(file) ? alone : '`npm run test:slow`'
    assert.equal(row?.suite, isSlow(file) ? slow : '`npm test`', file)
    if (row !== undefined) unused.delete(row)
  }

  assert.deepEqual([...unused], [])
})
