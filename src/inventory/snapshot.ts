import { dayCounts } from './days.ts'
import { columnsOfResource, forEachResource } from './tables.ts'

/**
 * All data of a storage by kind, except what can be derived. A row has these values in this order. Counters are the
 * highest ids ever assigned, by `counterNames`. Properties are facts about the database, such as its
 * environment.
 */
export const columnsOf = {
  counters: ['name', 'last'],
  properties: ['name', 'value'],
  lineages: ['number', 'id', 'began_at', 'events_before'],
  ...forEachResource(columnsOfResource),
  events: ['id', 'type', 'subject', 'at', 'data', 'author'],
  day_counts: ['day', ...dayCounts],
  api_keys: [
    'id',
    'name',
    'permission',
    'hash',
    'created_at',
    'expires_at',
    'revoked_at',
    'last_used_at',
    'replaced_by',
  ],
  idempotency_records: ['key_id', 'name', 'fingerprint', 'response', 'created_at'],
} as const

export type Kind = keyof typeof columnsOf
/** The kinds that are added row by row. Counters and properties are set. */
export type AddedKind = Exclude<Kind, 'counters' | 'properties'>

export const kinds = Object.keys(columnsOf) as Kind[]
export const addedKinds = kinds.filter((kind) => kind !== 'counters' && kind !== 'properties')

/** The same on every engine: 64-bit integers, text, or null. */
export type Row = readonly (bigint | string | null)[]
/** The first values of a row, which identify it within its kind. */
export type RowKey = readonly (bigint | string)[]

/** The number of values in the key of a row. */
function keyLength(kind: Kind): number {
  return kind === 'idempotency_records' ? 2 : 1
}

export function keyColumnsOf(kind: Kind): readonly string[] {
  return columnsOf[kind].slice(0, keyLength(kind))
}

export function keyOf(kind: Kind, row: Row): RowKey {
  return row.slice(0, keyLength(kind)) as RowKey
}

export function isSameKey(one: RowKey | undefined, other: RowKey | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.length === other.length && one.every((value, index) => value === other[index])
}

/** The data of a storage at the moment of opening. test/storage/copy-snapshot.test.ts defines it for every engine. */
export interface Snapshot {
  count(kind: Kind): Promise<number>

  /**
   * At most `limit` rows after this key, or from the first, ordered by key, text by its UTF-8 bytes; API keys in
   * insertion order.
   */
  rows(kind: Kind, limit: number, after?: RowKey): Promise<Row[]>

  close(): Promise<void>
}

/** How many of these worked in a database before it was copied or restored. There they do not. */
export interface EndedParts {
  webhooks: number
  invitations: number
}

/**
 * A storage that another one is copied into. It cannot be opened for anything else between `begin` and `finish`.
 * test/storage/copy-target.test.ts defines it for every engine.
 */
export interface CopyTarget {
  /** `empty`: nothing was ever stored. `unfinished`: a copy was begun. `used`: anything else. */
  state(): Promise<'empty' | 'unfinished' | 'used'>

  /**
   * Sets counters and properties and records that a copy was begun, all or nothing. `source` identifies what is copied.
   * Does nothing if this copy was begun before. Resolves to false, and changes nothing, if another one was, or if the
   * target is used.
   */
  begin(source: string, counters: readonly Row[], properties?: readonly Row[]): Promise<boolean>

  /** The key of the last row. */
  last(kind: AddedKind): Promise<RowKey | undefined>

  /**
   * Resolves when all rows are on disk; after a rejection all or none are. Resolves to false, and adds nothing, if the
   * last row does not have the key `after`: another program is writing.
   */
  add(kind: AddedKind, rows: readonly Row[], after: RowKey | undefined): Promise<boolean>

  /** The current data. */
  snapshot(): Promise<Snapshot>

  /**
   * Rebuilds derived data, disables all webhooks, ends all invitations and removes the record of the copy, all or
   * nothing.
   */
  finish(): Promise<EndedParts>

  close(): Promise<void>
}
