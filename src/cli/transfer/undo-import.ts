import { setTimeout as sleep } from 'node:timers/promises'
import { commandLineAuthor } from '../../contract/event.ts'
import { endOf } from '../../inventory/page.ts'
import type { StoredImport } from '../../inventory/stored-import.ts'
import { Failure } from '../shared/failure.ts'
import { table } from '../shared/table.ts'
import { databaseOf, readStorage, withStorage } from '../shared/with-storage.ts'
import { amount } from './format-numbers.ts'

const pageSize = 100
/** Between two transactions, at least. */
const minPauseMs = 120

/** Prints the imports whose events are all kept, the newest first: those that can be undone, and those that were. */
export async function listImports(): Promise<void> {
  await readStorage('Imports', async ({ imports }, config) => {
    const all: StoredImport[] = []
    for (let before: bigint | undefined = 0n; before !== undefined; ) {
      const page = await imports.list(pageSize, before)
      all.push(...page.items)
      before = endOf(page)
    }
    if (all.length === 0) return write(`There are no imports that can be undone in ${databaseOf(config)}.`)
    const rows = all.map(({ name, startedAt, keyName, added, rejected, undoneAt = '' }) => [
      name,
      startedAt,
      keyName,
      String(added),
      String(rejected),
      undoneAt,
    ])
    const lines = table(['ID', 'AT', 'KEY', 'ADDED', 'REJECTED', 'UNDONE'], rows)
    write(`${lines}\n\nThe imports of ${databaseOf(config)}.`)
  })
}

/** Removes the animals of an import that nobody has changed or ordered since, in transactions of 1,000. */
export async function undoImport(name: string): Promise<void> {
  await withStorage('Imports', async ({ imports }, config) => {
    let [removed, kept] = [0, 0]
    const keptIds: bigint[] = []
    for (let after: bigint | undefined = 0n; after !== undefined; ) {
      const start = performance.now()
      const undo = await imports.undo({ name, after, author: commandLineAuthor })
      if (!('done' in undo)) throw refusalOf(name, undo.outcome)
      removed += undo.done.removed
      kept += undo.done.kept
      keptIds.push(...undo.done.keeps.map(({ id }) => id))
      after = undo.done.next
      // So that the service can write: it looks for the end of a lock ten times a second.
      if (after !== undefined) await sleep(Math.max(minPauseMs, performance.now() - start))
    }
    const stay = kept === 0 ? '' : ` ${amount(kept, 'animal')} changed or ordered since stay: ${listOf(keptIds, kept)}.`
    write(`Removed ${amount(removed, 'animal')} from ${databaseOf(config)}.${stay}`)
  })
}

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}

const maxPrinted = 20

function listOf(ids: readonly bigint[], count: number): string {
  const printed = ids.slice(0, maxPrinted)
  return `${printed.join(', ')}${count > printed.length ? ', …' : ''}`
}

function refusalOf(name: string, outcome: string): Failure {
  if (outcome === 'missing')
    return new Failure(`No import is called ${JSON.stringify(name)}: petstore imports lists them.`)
  if (outcome === 'expired')
    return new Failure('Some events of this import are not kept any more, so it cannot be undone.')
  return new Failure('The import is running, or was interrupted less than a minute ago: try again.')
}
