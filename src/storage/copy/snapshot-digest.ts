import { createHash, hash } from 'node:crypto'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import { type Snapshot, type Kind, keyOf, kinds, type Row, type RowKey } from '../../inventory/snapshot.ts'

export interface KindDigest {
  rows: number
  /** SHA-256 of all rows in their order, hexadecimal. */
  digest: string
}

export type SnapshotDigest = Readonly<Record<Kind, KindDigest>>

/** Rows per page: enough to make each cheap, few enough that names of 64 KiB fit into memory. */
export const pageSize = 1_000

type Count = (rows: number) => void

/** Reads all rows. `count` is called with the number of rows of each page. */
export async function digestSnapshot(snapshot: Snapshot, count?: Count): Promise<SnapshotDigest> {
  const digests: Partial<Record<Kind, KindDigest>> = {}
  for (const kind of kinds) digests[kind] = await digestKind(snapshot, kind, count)
  return digests as SnapshotDigest
}

async function digestKind(snapshot: Snapshot, kind: Kind, count: Count = () => undefined): Promise<KindDigest> {
  const digest = createHash('sha256')
  let rows = 0
  for await (const page of pagesOf(snapshot, kind)) {
    let text = ''
    for (const row of page) text += canonical(row)
    digest.update(text)
    rows += page.length
    count(page.length)
  }
  return { rows, digest: digest.digest('hex') }
}

/**
 * Whether a database is unchanged, without reading its pets and events: every change of a pet leaves an event, and so
 * changes a counter. A change of an order's texts does not.
 */
export async function isUnchanged(before: SnapshotDigest, now: Snapshot): Promise<boolean> {
  for (const kind of kinds) {
    const hasCounter = kind === 'pets' || kind === 'events'
    const isSame = hasCounter
      ? before[kind].rows === (await now.count(kind))
      : before[kind].digest === (await digestKind(now, kind)).digest
    if (!isSame) return false
  }
  return true
}

/** Identifies a database by its content, wherever it is. */
export function nameOf(digests: SnapshotDigest): string {
  return hash('sha256', kinds.map((kind) => `${kind} ${digests[kind].digest}\n`).join(''))
}

/** The kinds of rows in which the two differ. */
export function differences(one: SnapshotDigest, other: SnapshotDigest): Kind[] {
  return kinds.filter((kind) => one[kind].digest !== other[kind].digest)
}

/** All rows of a kind after a key, page by page. Fetches the next page while one is processed. */
export async function* pagesOf(snapshot: Snapshot, kind: Kind, after?: RowKey): AsyncGenerator<Row[]> {
  let coming = snapshot.rows(kind, pageSize, after)
  for (;;) {
    const page = await coming
    const last = page.at(-1)
    if (last === undefined) return
    if (page.length < pageSize) return yield page
    coming = snapshot.rows(kind, pageSize, keyOf(kind, last))
    coming.catch(() => undefined) // The error is thrown at the await.
    // Yield to the event loop: a synchronous engine would starve the other.
    await nextLoopTick()
    yield page
  }
}

// Unambiguous: each text is preceded by its length.
function canonical(row: Row): string {
  let text = ''
  for (const value of row) {
    text += value === null ? '-,' : typeof value === 'string' ? `${value.length}:${value},` : `${value},`
  }
  return `${text}\n`
}
