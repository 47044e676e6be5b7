import { encodeAuthor, eventTypes } from '../contract/event.ts'
import { checker } from '../contract/checker.ts'
import { Int64, Type } from '../contract/schema.ts'
import { Day } from '../contract/day.ts'
import { decodeOrder, encodeOrder } from '../contract/order.ts'
import { decodePet, encodePet } from '../contract/pet.ts'
import { type Permission, permissions } from '../contract/operation.ts'
import { lineageForm } from '../contract/position.ts'
import { dayCounts, dayOfDate } from '../inventory/days.ts'
import type { Row } from '../inventory/snapshot.ts'
import type { ImageContents } from '../storage/sqlite/upkeep/image.ts'
import { type ClockState, readClockState } from './clock.ts'
import { type FileCounter, fileCounters, invalidLine, type Line } from './lines.ts'
import { checked, refuseSize, seedReader, sizeOfRow } from './seed.ts'

const int64 = (minimum: number) => Type.Unsafe<bigint>({ ...Int64, minimum })
const word = (pattern: string, form: string) => Type.String({ pattern, 'x-form': { [form]: pattern } })
const time = Type.String({ format: 'date-time' })

const checkCounters = checker(
  Type.Object(
    Object.fromEntries(fileCounters.map((name) => [name, int64(0)])) as Record<FileCounter, ReturnType<typeof int64>>,
  ),
  'json',
)
const keyId = word('^key_[0-9A-Za-z]{1,32}$', 'that is the id of a key')
const checkKey = checker(
  Type.Object({
    id: keyId,
    name: Type.String({ minLength: 1, maxLength: 1000 }),
    permission: Type.Unsafe<Permission>({ type: 'string', enum: permissions }),
    hash: word('^[0-9A-Za-z_-]{43}$', 'that is a SHA-256 in base64url'),
    createdAt: time,
    expiresAt: Type.Optional(time),
    revokedAt: Type.Optional(time),
    lastUsedAt: Type.Optional(time),
    replacedBy: Type.Optional(keyId),
  }),
  'json',
)
const checkEvent = checker(
  Type.Object({
    id: int64(1),
    subject: int64(1),
    lineage: Type.Optional(word(lineageForm, 'of eight letters and digits')),
    event: Type.Unsafe<string>({ type: 'string', enum: eventTypes }),
    at: time,
    data: Type.String(),
    author: Type.Optional(Type.String()),
  }),
  'json',
)

const checkDay = checker(Day, 'json')

const shopMembers = new Set(['type', 'version', 'counters', 'clock'])

/** Collects the lines of a snapshot. Faults name the line. An unknown member is a fault, because it would be lost. */
export function snapshotReader() {
  const seed = seedReader(maxCounter, true)
  const keys: Row[] = []
  const days: Row[] = []
  const events: Row[] = []
  const lineages: Row[] = []
  const known = new Set<unknown>()
  let counters: Record<FileCounter, bigint> | undefined
  let clock: ClockState | undefined
  let bytes = 0

  function readShop({ number, value }: Line): void {
    if (number !== 1 || value['type'] !== 'shop' || !isOne(value['version'])) {
      throw invalidLine(number, 'A snapshot begins with {"type":"shop","version":1,…}, once.')
    }
    const unknown = Object.keys(value).find((name) => !shopMembers.has(name))
    if (unknown !== undefined) throw invalidLine(number, `There is no ${JSON.stringify(unknown.slice(0, 50))}.`)
    const given = value['counters']
    clock = value['clock'] === undefined ? undefined : readClockState(value['clock'])
    if (value['clock'] !== undefined && clock === undefined)
      throw invalidLine(number, 'clock must be as in a snapshot.')
    counters = checked(checkCounters, { number, value: isObject(given) ? given : {} }, true)
  }

  function readKey(line: Line): void {
    const { id, name, permission, hash, replacedBy = null, ...times } = checked(checkKey, line, true)
    for (const one of [id, hash]) {
      if (known.has(one)) throw invalidLine(line.number, `Another key has the same id or hash.`)
      known.add(one)
    }
    const { createdAt, expiresAt, revokedAt, lastUsedAt } = times
    add(keys, [id, name, permission, hash, ...[createdAt, expiresAt, revokedAt, lastUsedAt].map(msOf), replacedBy])
  }

  function readDay(line: Line): void {
    const { date, ...counts } = checked(checkDay, line, true)
    const day = BigInt(dayOfDate(date))
    const before = days.at(-1)?.[0] as bigint | undefined
    if (before !== undefined && day <= before) throw invalidLine(line.number, 'Days come in order, each once.')
    const over = dayCounts.find((name) => counts[name] > maxCounter)
    if (over !== undefined) throw invalidLine(line.number, `${over} must be at most ${maxCounter}.`)
    add(days, [day, ...dayCounts.map((name) => counts[name])])
  }

  function readEvent(line: Line): void {
    const { id, subject, lineage, event, at, data, author } = checked(checkEvent, line, true)
    const before = events.at(-1)?.[0] as bigint | undefined
    if (before !== undefined && id !== before + 1n) throw invalidLine(line.number, 'Events have no gaps in their ids.')
    if (!isResource(event, data)) throw invalidLine(line.number, 'data must be the JSON of an event, as in a snapshot.')
    if (author !== undefined && !isAuthor(author)) throw invalidLine(line.number, 'author must be as in a snapshot.')
    noteLineage(line, id, lineage)
    add(events, [id, event, subject, msOf(at), data, author ?? null])
  }

  /** All events have a lineage, or none has: then they belong to that of the new shop. */
  function noteLineage({ number }: Line, id: bigint, lineage: string | undefined): void {
    const before = lineages.at(-1)?.[1]
    if (lineage === before) return
    if (lineage === undefined || known.has(lineage) || (before === undefined && events.length > 0)) {
      throw invalidLine(number, 'lineage must be as in a snapshot: that of the event before, or a new one.')
    }
    known.add(lineage)
    add(lineages, [BigInt(lineages.length + 1), lineage, BigInt(Date.now()), id - 1n])
  }

  function add(rows: Row[], row: Row): void {
    rows.push(row)
    bytes += sizeOfRow(row)
    refuseSize({ pets: 0, events: events.length, bytes })
  }

  return {
    read(line: Line): void {
      const type = line.value['type']
      if (counters === undefined || type === 'shop') readShop(line)
      else if (type === 'key') readKey(line)
      else if (type === 'day') readDay(line)
      else if (type === 'event') readEvent(line)
      else seed.read(line)
    },

    end(): ImageContents & { clock: ClockState | undefined } {
      if (counters === undefined) throw invalidLine(1, 'A snapshot begins with {"type":"shop","version":1,…}.')
      const rows = seed.end()
      for (const name of fileCounters) {
        const last = highestId(name === 'events' ? events : (rows[name] ?? []))
        const counter = counters[name]
        const isEnd = name !== 'events' || events.length === 0 || last === counter
        if (counter < last || counter > maxCounter || !isEnd) {
          throw invalidLine(1, `counters.${name} must be the highest id that was given to ${name}.`)
        }
      }
      return {
        rows: { ...rows, lineages, api_keys: keys, day_counts: days, events },
        counters: Object.entries(counters),
        clock,
      }
    },
  }
}

/** Above the ids of seeds, because what was added later has higher ones. Leaves room for what a shop will count. */
const maxCounter = 9_200_000_000_000_000_000n

function highestId(rows: readonly Row[]): bigint {
  let highest = 0n
  for (const [id] of rows) if ((id as bigint) > highest) highest = id as bigint
  return highest
}

function msOf(at: string | undefined): bigint | null {
  return at === undefined ? null : BigInt(Date.parse(at))
}

/** parseJson returns integers of either type. */
function isOne(value: unknown): boolean {
  return value === 1 || value === 1n
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Events are sent as they are stored, so their data must be exactly what the service would write. */
function isResource(event: string, data: string): boolean {
  try {
    return event.startsWith('pet') ? encodePet(decodePet(data)) === data : encodeOrder(decodeOrder(data)) === data
  } catch {
    return false
  }
}

function isAuthor(author: string): boolean {
  try {
    const { keyid, keyname, requestid } = JSON.parse(author) as Record<string, string>
    if (![keyid ?? '', keyname, requestid ?? ''].every((text) => typeof text === 'string')) return false
    const known = {
      ...(keyid && { keyId: keyid }),
      keyName: keyname as string,
      ...(requestid && { requestId: requestid }),
    }
    return encodeAuthor(known) === author
  } catch {
    return false
  }
}
