import { type Restored, restoreStorage } from '../../storage/restore.ts'
import { readConfig, readEnvironment } from '../shared/config.ts'
import { amount } from './format-numbers.ts'

export async function restore(file: string, { overwrite = false }: { overwrite?: boolean }): Promise<void> {
  const { databaseUrl, environment } = readConfig(readEnvironment())
  const restored = await restoreStorage(databaseUrl, file, { environment, overwrite })
  process.stdout.write(`Restored ${databaseUrl} from ${file}: ${contents(restored)}.\n`)
  const { schema, latestSchema, keptAs } = restored
  if (schema < latestSchema) {
    process.stdout.write(
      `The backup is of an older version (schema ${schema} of ${latestSchema}), so only its files were verified. ` +
        'The next start migrates it; then run petstore check.\n',
    )
  }
  if (keptAs !== undefined) process.stdout.write(`The old database is now ${keptAs}.\n`)
}

function contents({ pets, orders, events, latestEventAt }: Restored): string {
  const latest = latestEventAt === undefined ? '' : `, the latest of ${new Date(latestEventAt).toISOString()}`
  return `${amount(pets, 'animal')}, ${amount(orders, 'order')} and ${amount(events, 'event')}${latest}`
}
