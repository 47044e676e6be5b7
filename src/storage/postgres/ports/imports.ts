import type { CategoryMatch } from '../../../inventory/category-names.ts'
import type { Clock } from '../../../inventory/clock.ts'
import type { Imports } from '../../../inventory/imports.ts'
import { lastExpired } from '../../../inventory/rules/idempotency.ts'
import type { ImportHistory } from '../../shared/ports/import-history.ts'
import { storedStepSql, toStoredStep } from '../../shared/writes/import-steps.ts'
import type { Statement } from '../connection/statement.ts'
import { categoryMatches, nameKeys, toMatches } from '../reads/category-names.ts'
import type { Readers } from '../reads/readers.ts'
import type { ImportWriter } from '../writes/import-writes.ts'
import type { Writer } from '../writes/writer.ts'

const byKey: Statement = { name: 'import_by_key', text: storedStepSql((number) => `$${number}`) }

/** A read is short: it has a timeout. */
const namesPerRead = 1_000

export function postgresImports(
  { read }: Readers,
  writer: Writer,
  importWriter: ImportWriter,
  clock: Clock,
): Omit<Imports, keyof ImportHistory> {
  let adding: Promise<unknown> = Promise.resolve()

  return {
    batchSize: 5_000,
    // One after the other: they share a connection, which has one transaction at a time.
    add(...call) {
      const added = adding.then(() => importWriter.add(...call))
      adding = added.catch(() => undefined)
      return added
    },
    async findCategories(names) {
      const matches: CategoryMatch[] = []
      for (let at = 0; at < names.length; at += namesPerRead) {
        const keys = await nameKeys(names.slice(at, at + namesPerRead))
        matches.push(...toMatches(await read(categoryMatches, keys)))
      }
      return matches
    },
    forget: () => writer.write('forgetImports', { now: clock() }),
    async stepOf(key) {
      const { rows } = await read(byKey, [key.keyId, key.name, lastExpired(key, clock())])
      return toStoredStep(rows[0] as unknown[] | undefined)
    },
  }
}
