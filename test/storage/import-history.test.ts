import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pet } from '../../src/contract/pet.ts'
import type { StoredImport } from '../../src/inventory/stored-import.ts'
import type { Engine } from '../../src/storage/shared/ports/engine.ts'
import { importHistory } from '../../src/storage/shared/ports/import-history.ts'

const found: StoredImport = {
  id: 1n,
  name: 'spring',
  keyId: 'key_a',
  keyName: 'Desk',
  startedAt: '2026-01-05T09:00:00.000Z',
  added: 3n,
  rejected: 0n,
  eventsBefore: 0n,
}
const petOf = (id: bigint): Pet => ({ id, name: 'Rex', categoryId: 1n })

test('an undo writes what a page that ended early has found, and goes on after it in the next call', async () => {
  const written: unknown[] = []
  const engine = {
    list: async () => ({ items: [found], more: false }),
    write: async (name: string, { petIds, next }: { petIds: readonly bigint[]; next?: bigint }) =>
      void written.push([name, petIds, next]),
    clock: () => 0,
  }
  const asked: bigint[] = []
  const { undo } = importHistory(engine as unknown as Engine, async (_query, _limit, after) => {
    asked.push(after)
    return after < 7n ? { items: [petOf(after + 1n)], more: true, next: 7n } : { items: [petOf(8n)], more: false }
  })

  await undo({ name: 'spring', after: 0n })
  await undo({ name: 'spring', after: 7n })

  assert.deepEqual(asked, [0n, 7n])
  assert.deepEqual(written, [
    ['undoImport', [1n], 7n],
    ['undoImport', [8n], undefined],
  ])
})
