import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checks } from '../../src/storage/check/checks.ts'

test('docs/backup.md names every check of petstore check, and no other', () => {
  const page = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8')
  const [, table = ''] = /^\| check \| what must hold \|\n(.*?)\n\n/ms.exec(page) ?? []

  const names = [...table.matchAll(/^\| ([a-z ,]+) \|/gm)].flatMap(([, cell = '']) => cell.split(', '))

  assert.deepEqual(names.toSorted(), ['integrity', ...checks.map(({ name }) => name)].toSorted())
})
