/**
 * What sets a write apart from changes of the shop. `bookkeeping` changes nothing that is cached: see reads/version.ts.
 * `staging` changes a temporary table of the connection alone.
 */
export type WriteKind = 'bookkeeping' | 'staging'

export type Write = ((input: never) => unknown) & { kind?: WriteKind }

/** Marks writes where they are defined. */
export function ofKind<Writes extends Record<string, Write>>(kind: WriteKind, writes: Writes): Writes {
  for (const write of Object.values(writes)) write.kind = kind
  return writes
}
