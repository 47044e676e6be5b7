import { codecOf } from '../contract/json.ts'
import { dateOf, dayCounts } from '../inventory/days.ts'
import type { AddedKind, Row } from '../inventory/snapshot.ts'
import { type ResourceDescription, resources } from '../inventory/tables.ts'
import { loopSteps } from '../inventory/loop-steps.ts'
import { resourceRows } from '../storage/shared/rows/resource-rows.ts'
import { openImage } from '../storage/sqlite/upkeep/image.ts'
import type { ClockState } from './clock.ts'
import { shopLimits } from './limits.ts'
import { fileCounters, fileTables, forEachFileTable } from './lines.ts'

/** A shop at one moment. */
export interface SavedShop {
  image: Uint8Array
  /** Undefined for the real time. */
  clock: ClockState | undefined
}

/** The lines of a snapshot, in parts of a few rows, in steps of the event loop. */
export async function* snapshotLines({ image, clock }: SavedShop): AsyncGenerator<string> {
  const shop = openImage(image)
  const steps = loopSteps()

  async function* rowsOf(kind: AddedKind, encode: (row: Row) => string): AsyncGenerator<string> {
    for (let after: Row | undefined; ; ) {
      const rows = await shop.rows(kind, 100, after?.slice(0, 1) as [bigint] | undefined)
      let text = ''
      for (const row of rows) {
        text += `${encode(row)}\n`
        if (!steps.isOver()) continue
        yield text
        text = ''
        await steps.next()
      }
      if (text !== '') yield text
      after = rows.at(-1)
      if (after === undefined) return
    }
  }

  try {
    const last = new Map((await shop.rows('counters', 10)) as [string, bigint][])
    const counters = fileCounters.map((name) => `"${name}":${last.get(name) ?? 0n}`)
    const time = clock === undefined ? '' : `,"clock":${JSON.stringify(clock)}`
    yield `{"type":"shop","version":1,"counters":{${counters.join(',')}}${time}}\n`
    for (const table of fileTables) yield* rowsOf(table, encoders[table])
    yield* rowsOf('api_keys', encodeKey)
    yield* rowsOf('day_counts', encodeDayRow)
    yield* rowsOf('events', encodeEvents((await shop.rows('lineages', shopLimits.events)) as LineageRow[]))
  } finally {
    await shop.close()
  }
}

/** The line of a resource: its JSON, with what it is unless it is a pet. */
const encoders = forEachFileTable((table) => {
  const { noun, members }: ResourceDescription = resources[table]
  const { encode } = codecOf<object>(members)
  const { toItem } = resourceRows[table]
  return (row: Row) => {
    const json = encode(toItem(row))
    return table === 'pets' ? json : `{"type":"${noun}",${json.slice(1)}`
  }
})

function encodeKey(row: Row): string {
  const [id, name, permission, hash, createdAt, expiresAt, revokedAt, lastUsedAt, replacedBy] = row
  const times = { createdAt, expiresAt, revokedAt, lastUsedAt } as Record<string, bigint | null>
  const given = Object.entries(times).flatMap(([at, ms]) => (ms === null ? [] : [[at, timeOf(ms)]]))
  const successor = replacedBy === null ? {} : { replacedBy }
  return JSON.stringify({ type: 'key', id, name, permission, hash, ...Object.fromEntries(given), ...successor })
}

type LineageRow = [number: bigint, id: string, beganAt: bigint, eventsBefore: bigint]

/** Encodes events in the order of their ids, each with the lineage in which it got its id. */
function encodeEvents(lineages: readonly LineageRow[]): (row: Row) => string {
  let next = 0
  let lineage: string | undefined
  return ([id, event, subject, at, data, author]) => {
    for (; (lineages[next]?.[3] ?? (id as bigint)) < (id as bigint); next++) lineage = lineages[next]?.[1]
    const texts = { lineage, event, at: timeOf(at as bigint), data, ...(author !== null && { author }) }
    return `{"type":"event","id":${id},"subject":${subject},${JSON.stringify(texts).slice(1)}`
  }
}

function encodeDayRow([day, ...counts]: Row): string {
  const members = dayCounts.map((name, index) => `"${name}":${counts[index]}`)
  return `{"type":"day","date":"${dateOf(Number(day))}",${members.join(',')}}`
}

function timeOf(ms: bigint): string {
  return new Date(Number(ms)).toISOString()
}
