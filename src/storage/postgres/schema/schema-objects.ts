import { readFileSync } from 'node:fs'
import { idOf, type SchemaObject } from '../../shared/checked-database.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'

/** Beside the migrations: what they make, and a digest of them (test/support/describe-postgres.ts). */
const description = new URL('../migrations/schema.json', import.meta.url)

export interface ExpectedObject extends SchemaObject {
  /** The schema number that it is there from. */
  since: number
}

/**
 * The schema that the migrations make. It is stored: a check may only read, so it cannot run the migrations on the
 * server.
 */
export function expectedSchema(): ExpectedObject[] {
  return (JSON.parse(readFileSync(description, 'utf8')) as { objects: ExpectedObject[] }).objects
}

/**
 * Parts of the database that are newer than its schema number. There are some if a dump of an older version was restored
 * over a newer database: it replaces only the tables that it has.
 */
export async function newerParts(session: Session, number: number): Promise<SchemaObject[]> {
  const newer = new Set(expectedSchema().flatMap((object) => (object.since > number ? [idOf(object)] : [])))
  if (number === 0 || newer.size === 0) return []
  return (await schemaObjects(session)).filter((object) => newer.has(idOf(object)))
}

/** NOT NULL is part of the column: PostgreSQL 18 has a constraint for it as well, earlier versions have none. */
const all: Statement = {
  text: `
    WITH tables AS (
      SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
    )
    SELECT CASE relkind WHEN 'v' THEN 'view' ELSE 'table' END AS kind, relname AS table_name, relname AS name,
        CASE relkind WHEN 'r' THEN 'ordinary' ELSE relkind::text END
          || CASE relpersistence WHEN 'p' THEN '' ELSE ', UNLOGGED: a crash of the server empties it' END
          || CASE WHEN relrowsecurity THEN ', ROW LEVEL SECURITY' ELSE '' END
          || CASE WHEN EXISTS (SELECT 1 FROM pg_rewrite WHERE ev_class = tables.oid AND relkind = 'r') THEN ', RULES' ELSE '' END
          AS definition
      FROM tables
    UNION ALL
    SELECT 'column', relname, attname, format_type(atttypid, atttypmod)
        || CASE WHEN attcollation IN (0, 100) THEN '' ELSE ' COLLATE ' || collname END
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        || CASE WHEN attidentity = '' THEN '' ELSE ' IDENTITY ' || attidentity::text END
        || CASE WHEN attgenerated = '' THEN '' ELSE ' GENERATED ' || attgenerated::text END
        || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
      FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    UNION ALL
    SELECT 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid)
      FROM tables JOIN pg_constraint ON conrelid = tables.oid AND contype <> 'n'
    UNION ALL
    SELECT CASE WHEN indisunique THEN 'unique index' ELSE 'index' END, tables.relname, indexes.relname,
        replace(pg_get_indexdef(indexrelid), ' ON ' || quote_ident(current_schema()) || '.', ' ON ')
          || CASE WHEN indisvalid AND indisready AND indislive THEN '' ELSE ', INVALID' END
      FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class AS indexes ON indexes.oid = indexrelid
    UNION ALL
    SELECT 'trigger', relname, tgname, replace(pg_get_triggerdef(pg_trigger.oid, true),
        ' ON ' || quote_ident(current_schema()) || '.', ' ON ')
        || CASE tgenabled WHEN 'O' THEN '' ELSE ', ENABLED ' || tgenabled::text END
      FROM tables JOIN pg_trigger ON tgrelid = tables.oid AND NOT tgisinternal
    UNION ALL
    SELECT 'function', '', proname, 'RETURNS ' || prorettype::regtype::text || ' LANGUAGE ' || lanname || ' AS '
        || prosrc
      FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
      WHERE pronamespace = current_schema()::regnamespace
    ORDER BY 2, 1, 3`,
}

type Row = [kind: SchemaObject['kind'], table: string, name: string, definition: string]

export async function schemaObjects(session: Session): Promise<SchemaObject[]> {
  const { rows } = await session.run(all)
  return (rows as Row[]).map(([kind, table, name, definition]) => ({
    kind,
    table,
    name,
    definition: definition.replaceAll(/\s+/g, ' ').trim(),
  }))
}
