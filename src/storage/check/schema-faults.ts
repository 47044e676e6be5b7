import { type CheckedDatabase, idOf, type SchemaObject } from '../shared/checked-database.ts'

/**
 * Compares the schema with the one that the migrations make. Tables and indexes that an operator has added are no
 * fault; what changes the writes to a table of ours is one.
 */
export async function* findSchemaFaults(db: CheckedDatabase): AsyncGenerator<string> {
  const { expected, found } = await db.schema()
  const there = new Map(found.map((object) => [idOf(object), object]))
  const ours = new Set(expected.map(idOf))
  const tables = new Set(expected.flatMap(({ kind, name }) => (kind === 'table' ? [name] : [])))
  const lost = new Set(
    expected.flatMap((object) => (object.kind === 'table' && !there.has(idOf(object)) ? [object.name] : [])),
  )

  for (const object of expected) {
    // Of a table that is missing, only the table is reported.
    if (object.kind !== 'table' && lost.has(object.table)) continue
    const same = there.get(idOf(object))
    if (same === undefined) yield `The ${nameOf(object)} is missing; it should be: ${shorten(object.definition)}.`
    else if (same.definition !== object.definition) {
      yield `The ${nameOf(object)} should be: ${shorten(object.definition)}; it is: ${shorten(same.definition)}.`
    }
  }
  for (const object of found) {
    if (ours.has(idOf(object)) || !tables.has(object.table) || !changesWrites(object)) continue
    yield `The ${nameOf(object)} is not one of this version: ${shorten(object.definition)}.`
  }
}

function changesWrites({ kind }: SchemaObject): boolean {
  return kind === 'column' || kind === 'constraint' || kind === 'trigger' || kind === 'unique index'
}

function nameOf({ kind, table, name }: SchemaObject): string {
  return kind === 'column' || kind === 'constraint' || kind === 'trigger'
    ? `${kind} ${name} of the table ${table}`
    : `${kind} ${name}`
}

const maxLength = 300

function shorten(definition: string): string {
  return definition.length > maxLength ? `${definition.slice(0, maxLength)}…` : definition
}
