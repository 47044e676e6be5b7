// Writes src/storage/postgres/migrations/schema.json, which `petstore check` compares databases with: npm run schema
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SchemaObject } from '../../src/storage/shared/checked-database.ts'
import { connectAtStart } from '../../src/storage/postgres/connection/connect.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { migrate, migrations } from '../../src/storage/postgres/schema/migrate.ts'
import { schemaObjects } from '../../src/storage/postgres/upkeep/schema-objects.ts'
import { startPostgres } from './postgres-server.ts'

export const descriptionFile = fileURLToPath(
  new URL('../../src/storage/postgres/migrations/schema.json', import.meta.url),
)

/** Changes with every change of a migration. */
export function digestOfMigrations(): string {
  const hash = createHash('sha256')
  for (const { name, sql } of migrations()) hash.update(`${name}\n${sql}\n`)
  return hash.digest('hex')
}

/** The schema that the migrations make in this empty database. */
export async function describe(url: string): Promise<SchemaObject[]> {
  const server = readServer(url)
  const session = await connectAtStart(server)
  try {
    await migrate(session, server.shown)
    return await schemaObjects(session)
  } finally {
    await session.end()
  }
}

if (import.meta.main) {
  const server = await startPostgres()
  try {
    const objects = await describe(server.url)
    const lines = objects.map((object) => `    ${JSON.stringify(object)}`).join(',\n')
    writeFileSync(descriptionFile, `{\n  "migrations": "${digestOfMigrations()}",\n  "objects": [\n${lines}\n  ]\n}\n`)
  } finally {
    await server.stop()
  }
}
