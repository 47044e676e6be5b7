import { createHash, hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Snapshot, type Kind, keyOf, kinds, type Row, type RowKey } from '../../inventory/snapshot.ts'

export interface KindDigest {
  rows: number
  /** SHA-256 of all rows in their order, hexadecimal. */
  digest: string
}

export type HoldingsDigest = Readonly<Record<Kind, KindDigest>>

/** How many rows are read at once: enough that each costs little, few enough that names of 64 KiB fit into memory. */
export const pageSize = 1_000

type Count = (rows: number) => void

/** Reads all rows. `count` hears of every page, with its number of rows. */
export async function digestHoldings(holdings: Snapshot, count?: Count): Promise<HoldingsDigest> {
  const digests: Partial<Record<Kind, KindDigest>> = {}
  for (const kind of kinds) digests[kind] = await digestKind(holdings, kind, count)
  return digests as HoldingsDigest
}

async function digestKind(holdings: Snapshot, kind: Kind, count: Count = () => undefined): Promise<KindDigest> {
  const digest = createHash('sha256')
  let rows = 0
  for await (const page of pagesOf(holdings, kind)) {
    let text = ''
    for (const row of page) text += canonical(row)
    digest.update(text)
    rows += page.length
    count(page.length)
  }
  return { rows, digest: digest.digest('hex') }
}

/**
 * Whether holdings are still what they were, without reading all of them: whatever changes animals or orders leaves an
 * event, and so another counter.
 */
export async function isUnchanged(before: HoldingsDigest, now: Snapshot): Promise<boolean> {
  for (const kind of kinds) {
    const isTold = kind === 'pets' || kind === 'orders' || kind === 'events'
    const isSame = isTold
      ? before[kind].rows === (await now.count(kind))
      : before[kind].digest === (await digestKind(now, kind)).digest
    if (!isSame) return false
  }
  return true
}

/** Names holdings by their content, wherever they are. */
export function nameOf(digests: HoldingsDigest): string {
  return hash('sha256', kinds.map((kind) => `${kind} ${digests[kind].digest}\n`).join(''))
}

/** The kinds of which one holds something else than the other. */
export function differences(one: HoldingsDigest, other: HoldingsDigest): Kind[] {
  return kinds.filter((kind) => one[kind].digest !== other[kind].digest)
}

/** All rows of a kind after one, page by page. The next page is on its way while one is worked on. */
export async function* pagesOf(holdings: Snapshot, kind: Kind, after?: RowKey): AsyncGenerator<Row[]> {
  let coming = holdings.rows(kind, pageSize, after)
  for (;;) {
    const page = await coming
    const last = page.at(-1)
    if (last === undefined) return
    if (page.length < pageSize) return yield page
    coming = holdings.rows(kind, pageSize, keyOf(kind, last))
    coming.catch(() => undefined) // It is thrown where it is awaited.
    // An engine that has its rows at once would keep the other one from being heard.
    await nextTurn()
    yield page
  }
}

// No two rows look the same: text comes with its length.
function canonical(row: Row): string {
  let text = ''
  for (const value of row) {
    text += value === null ? '-,' : typeof value === 'string' ? `${value.length}:${value},` : `${value},`
  }
  return `${text}\n`
}
