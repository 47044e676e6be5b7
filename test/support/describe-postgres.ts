// Writes src/storage/postgres/migrations/schema.json, which `petstore check` compares databases with: npm run make -- schema
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { idOf, type SchemaObject } from '../../src/storage/shared/checked-database.ts'
import { connectAtStart } from '../../src/storage/postgres/connection/connect.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { migrate, migrations } from '../../src/storage/postgres/schema/migrate.ts'
import { type ExpectedObject, schemaObjects } from '../../src/storage/postgres/schema/schema-objects.ts'
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

/** The schema that the migrations make in this empty database, and the schema number that each part is there from. */
export async function describe(url: string): Promise<ExpectedObject[]> {
  const server = readServer(url)
  const session = await connectAtStart(server)
  try {
    const since = new Map<string, number>()
    let objects: SchemaObject[] = []
    for (const last of new Set(migrations().map(({ number }) => number))) {
      await migrate(session, server, { all: migrations().filter(({ number }) => number <= last) })
      objects = await schemaObjects(session)
      for (const object of objects) since.set(idOf(object), since.get(idOf(object)) ?? last)
    }
    return objects.map((object) => ({ ...object, since: since.get(idOf(object)) as number }))
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
