import { type Restored, restoreStorage } from '../../storage/restore.ts'
import { readConfig } from '../shared/config.ts'
import { readEnvironment } from '../shared/environment.ts'
import { endedLines } from './ended-parts.ts'
import { amount } from './format-numbers.ts'

export interface RestoreOptions {
  overwrite?: boolean
  withoutKeys?: boolean
}

export async function restore(file: string, { overwrite = false, withoutKeys = false }: RestoreOptions): Promise<void> {
  const { databaseUrl, environment } = readConfig(readEnvironment())
  const restored = await restoreStorage(databaseUrl, file, { environment, overwrite, withoutKeys })
  process.stdout.write(`Restored ${databaseUrl} from ${file}: ${contents(restored)}.\n`)
  const { schema, latestSchema, previous } = restored
  process.stdout.write(`${keysOf(restored)}\n`)
  process.stdout.write(endedLines(restored))
  if (schema < latestSchema) {
    process.stdout.write(
      `The backup is of an older version (schema ${schema} of ${latestSchema}), so only its files were verified. ` +
        'The next start migrates it; then run petstore check.\n',
    )
  }
  if (previous.database !== undefined) process.stdout.write(`The old database is now ${previous.database}.\n`)
  if (previous.log !== undefined) process.stdout.write(`The log of the lost database is now ${previous.log}.\n`)
}

function keysOf({ keys, newKey }: Restored): string {
  if (newKey !== undefined) {
    return `All keys of the backup are revoked (${keys} worked). A new admin key, shown only now:\n\n  ${newKey}\n`
  }
  if (keys === 0) return 'The backup has no key that works.'
  const those = keys === 1 ? '1 key works again as it did' : `${keys} keys work again as they did`
  return `${those} then, also if revoked since: see petstore keys list, or restore with --without-keys.`
}

function contents({ pets, orders, events, latestEventAt }: Restored): string {
  const latest = latestEventAt === undefined ? '' : `, the latest of ${new Date(latestEventAt).toISOString()}`
  return `${amount(pets, 'animal')}, ${amount(orders, 'order')} and ${amount(events, 'event')}${latest}`
}
