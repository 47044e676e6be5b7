/**
 * Everything that a storage holds, kind by kind, but what can be made anew from the rest. A row has these values in this
 * order. Counters are the highest ids ever given, those of `events`, `orders` and `pets`; `finished` is 0 or 1.
 * Properties are facts about the whole, such as its environment.
 */
export const columnsOf = {
  counters: ['name', 'last'],
  properties: ['name', 'value'],
  histories: ['number', 'id', 'began_at', 'pets_before', 'orders_before', 'events_before'],
  categories: ['id', 'name'],
  pets: ['id', 'name', 'category_id', 'status'],
  orders: ['id', 'pet_id', 'status', 'placed_at', 'updated_at'],
  events: ['id', 'type', 'subject', 'at', 'data'],
  api_keys: ['id', 'name', 'permission', 'hash', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'],
  attempts: ['key_id', 'name', 'fingerprint', 'answer', 'made_at'],
  imports: ['source', 'rows_done', 'finished'],
} as const

export type Kind = keyof typeof columnsOf
/** What is added row by row. Counters and properties are set. */
export type AddedKind = Exclude<Kind, 'counters' | 'properties'>

export const kinds = Object.keys(columnsOf) as Kind[]
export const addedKinds = kinds.filter((kind) => kind !== 'counters' && kind !== 'properties')

/** The same on every engine: integers of 64 bits, text, or nothing. */
export type Row = readonly (bigint | string | null)[]
/** The first values of a row: those that no other row of its kind has. */
export type RowKey = readonly (bigint | string)[]

/** How many values the key of a row has. */
export function keyLength(kind: Kind): number {
  return kind === 'attempts' ? 2 : 1
}

export function keyOf(kind: Kind, row: Row): RowKey {
  return row.slice(0, keyLength(kind)) as RowKey
}

export function isSameKey(one: RowKey | undefined, other: RowKey | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.length === other.length && one.every((value, place) => value === other[place])
}

/** What a storage held at one moment: that of opening. test/storage/copy-holdings.test.ts defines it for every engine. */
export interface Snapshot {
  count(kind: Kind): Promise<number>

  /**
   * At most `limit` rows after the one with this key, or from the first. In the order of their keys, text by its bytes in
   * UTF-8; API keys in that in which they were stored.
   */
  rows(kind: Kind, limit: number, after?: RowKey): Promise<Row[]>

  close(): Promise<void>
}

/**
 * A storage into which another's holdings are copied. From `begin` to `finish` nobody can open it for anything else.
 * test/storage/copy-target.test.ts defines it for every engine.
 */
export interface CopyTarget {
  /** `empty`: nothing was ever stored in it. `unfinished`: a copy was begun. `used`: neither. */
  state(): Promise<'empty' | 'unfinished' | 'used'>

  /**
   * Sets counters and properties and remembers that a copy was begun, all or nothing. `source` names what is copied. Does
   * nothing when this copy was begun before. Resolves to false, and changes nothing, where another was, and when it is used.
   */
  begin(source: string, counters: readonly Row[], properties?: readonly Row[]): Promise<boolean>

  /** The key of the last row that it has. */
  last(kind: AddedKind): Promise<RowKey | undefined>

  /**
   * Resolves once all rows are on disk; when it rejects, all are or none. Resolves to false, and adds nothing, when the last
   * row that it has is not the one with the key `after`: someone else is writing.
   */
  add(kind: AddedKind, rows: readonly Row[], after: RowKey | undefined): Promise<boolean>

  /** What it holds now. */
  holdings(): Promise<Snapshot>

  /** Makes what can be made anew, and forgets that there was a copy, both or neither. */
  finish(): Promise<void>

  close(): Promise<void>
}
