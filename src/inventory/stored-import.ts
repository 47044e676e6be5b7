import { membersOf } from '../contract/members.ts'
import { Int64, type ResourceOf, Type } from '../contract/schema.ts'
import { randomText } from './random-text.ts'

const id = Type.Unsafe<bigint>({ ...Int64, minimum: 1 })
const count = Type.Unsafe<bigint>({ ...Int64, minimum: 0 })
const time = Type.String({ format: 'date-time' })

/** An import as it is stored: what is known of it as a whole. */
export const StoredImport = Type.Object({
  id,
  /** The `importId` of its requests. No two imports have the same. */
  name: Type.String({ minLength: 1, maxLength: 64 }),
  /** The API key that began it. */
  keyId: Type.String({ minLength: 1 }),
  keyName: Type.String({ minLength: 1 }),
  startedAt: time,
  added: count,
  rejected: count,
  /** The id of the latest event before it: all events of the import have higher ones. */
  eventsBefore: count,
  /** A request has more rows to add, unless it has ended without notice. */
  runsUntil: Type.Optional(time),
  /** From then on nothing is added to it. */
  undoStartedAt: Type.Optional(time),
  undoneAt: Type.Optional(time),
})
export type StoredImport = ResourceOf<typeof StoredImport>

export const importMembers = membersOf(StoredImport)

/** The pets that one transaction of an import has added: their ids have no gaps. */
export const StoredImportPart = Type.Object({
  /** The id of the last pet. */
  id,
  importId: id,
  firstPetId: id,
  /** The id of the latest event before it. */
  eventsBefore: count,
})
export type StoredImportPart = ResourceOf<typeof StoredImportPart>

export const importPartMembers = membersOf(StoredImportPart)

/** A request of an import that has ended. */
export const StoredImportRequest = Type.Object({
  id,
  importId: id,
  /** Of all pets that it sent. */
  digest: Type.String({ minLength: 1 }),
  /** The id of the latest event before its end. */
  eventsBefore: count,
})
export type StoredImportRequest = ResourceOf<typeof StoredImportRequest>

export const importRequestMembers = membersOf(StoredImportRequest)

/** How long an import that has added rows counts as running, if nothing more is heard of it. */
export const maxImportPauseMs = 60_000
/** For how long an import is known whose events are not kept any more. */
export const endedImportMs = 90 * 24 * 60 * 60 * 1000

/** For an import whose client has given it no name. */
export function newImportId(): string {
  return randomText(20)
}

/** Whether all events of an import are kept. `oldest` is the id of the oldest event, or of the next if there is none. */
export function isKept({ eventsBefore }: Pick<StoredImport, 'eventsBefore'>, oldest: bigint): boolean {
  return eventsBefore + 1n >= oldest
}

/** A mark that is further ahead was made by a clock that has been set back since. */
export function isRunning({ runsUntil }: Pick<StoredImport, 'runsUntil'>, now: number): boolean {
  const leftMs = runsUntil === undefined ? 0 : Date.parse(runsUntil) - now
  return leftMs > 0 && leftMs <= maxImportPauseMs
}
