import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  addedKinds,
  type CopyTarget,
  type EndedParts,
  type Kind,
  type Row,
  type Snapshot,
  keyOf,
  kinds,
} from '../../inventory/snapshot.ts'
import { notEmpty } from '../shared/refusals.ts'
import { environmentProperty } from '../shared/environment.ts'
import { StorageError } from '../shared/errors.ts'
import {
  differences,
  digestSnapshot,
  type SnapshotDigest,
  isUnchanged,
  nameOf,
  pageSize,
  pagesOf,
} from './snapshot-digest.ts'
import { readDatabaseUrl, withoutPassword } from '../shared/url.ts'

/** Called with the progress of a copy: the stage, the rows done and the rows in total. */
export type CopyWatcher = (stage: 'read' | 'copied' | 'verified', rows: number, all: number) => void

export interface Copied {
  /** The number of rows copied by this run. */
  rows: number
  /** The content of both databases, apart from the webhooks and invitations, which have ended in the new one. */
  digests: SnapshotDigest
  /** What this run ended. */
  ended: EndedParts
}

/** What a completed copy has changed. */
const endedKinds: ReadonlySet<Kind> = new Set(['webhooks', 'invitations'])

/**
 * Copies a whole database into another, of any engine, and compares the two. The source is only read; the copy fails at
 * the end if others changed it meanwhile. The target is empty, or has an unfinished copy of the same source, which is
 * resumed. It cannot be opened for anything else until the copy is complete. A refused copy leaves the target
 * unchanged.
 */
export async function copyStorage(from: string, to: string, watch: CopyWatcher): Promise<Copied> {
  refuseSame(from, to)
  const source = await openSource(from)
  try {
    const target = await openTarget(to)
    try {
      return await copySnapshot(source, target, { from, to, watch })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

interface CopyPlan {
  from: string
  to: string
  watch: CopyWatcher
}

async function copySnapshot(source: Snapshot, target: CopyTarget, plan: CopyPlan): Promise<Copied> {
  const { from, to, watch } = plan
  const state = await target.state()
  if (state === 'used' && !(await hasAsManyRows(source, target))) throw notEmpty(withoutPassword(to))
  const all = await countAll(source)
  const digests = await digestSnapshot(source, counter('read', all, watch))
  if (state === 'used') {
    // A completed copy that is run again has nothing to do.
    const changed = differences(digests, await digestTarget(target))
    if (changed.some((kind) => !endedKinds.has(kind))) throw notEmpty(withoutPassword(to))
    return { rows: 0, digests, ended: { webhooks: 0, invitations: 0 } }
  }
  await refuseOtherEnvironment(source, target, plan)
  const [counters, properties] = [await source.rows('counters', pageSize), await source.rows('properties', pageSize)]
  // Identified by its content: a copy can be resumed only from an identical source.
  if (!(await target.begin(nameOf(digests), counters, properties))) {
    throw state === 'unfinished' ? otherCopyUnfinished(from, to) : notEmpty(withoutPassword(to))
  }
  const rows = await copyRows(source, target, plan)
  await verify(digests, target, plan)
  await refuseChanged(digests, from)
  const ended = await target.finish()
  return { rows, digests, ended }
}

/** An empty target may already belong to an environment. */
async function refuseOtherEnvironment(source: Snapshot, target: CopyTarget, { from, to }: CopyPlan): Promise<void> {
  const there = await target.snapshot()
  const [ours, theirs] = await Promise.all([source, there].map(environmentOf)).finally(() => there.close())
  if (ours === undefined || theirs === undefined || ours === theirs) return
  throw new StorageError(
    `The database ${withoutPassword(to)} belongs to ${theirs}, but ${withoutPassword(from)} to ${ours}: ` +
      'copy into a new one.',
  )
}

async function environmentOf(snapshot: Snapshot): Promise<Row[number] | undefined> {
  const properties = await snapshot.rows('properties', pageSize)
  return properties.find(([name]) => name === environmentProperty)?.[1]
}

async function copyRows(source: Snapshot, target: CopyTarget, { to, watch }: CopyPlan): Promise<number> {
  const there = await target.snapshot()
  const left = (await countAll(source)) - (await countAll(there))
  await there.close()
  const copied = counter('copied', left, watch)
  let rows = 0
  for (const kind of addedKinds) {
    let after = await target.last(kind)
    for await (const page of pagesOf(source, kind, after)) {
      if (!(await target.add(kind, page, after))) {
        throw new StorageError(`Another program writes to ${withoutPassword(to)}: only one copy may write to it.`)
      }
      after = keyOf(kind, page.at(-1) ?? [])
      rows += page.length
      copied(page.length)
    }
  }
  return rows
}

/** The target must equal the copied rows. */
async function verify(copied: SnapshotDigest, target: CopyTarget, { to, watch }: CopyPlan): Promise<void> {
  const all = kinds.reduce((sum, kind) => sum + copied[kind].rows, 0)
  const wrong = differences(copied, await digestTarget(target, counter('verified', all, watch)))
  if (wrong.length === 0) return
  throw new StorageError(
    `The database ${withoutPassword(to)} differs from what was copied into it (${wrong.join(', ')}): ` +
      'copy into a new database.',
  )
}

/** Comes last: rows written since the copy began would be missing from the target. */
async function refuseChanged(copied: SnapshotDigest, from: string): Promise<void> {
  const source = await openSource(from)
  try {
    if (await isUnchanged(copied, source)) return
  } finally {
    await source.close()
  }
  throw new StorageError(
    `The database ${withoutPassword(from)} was changed during the copy: ` +
      'stop the service and copy into a new database.',
  )
}

async function digestTarget(target: CopyTarget, count?: (rows: number) => void): Promise<SnapshotDigest> {
  const snapshot = await target.snapshot()
  try {
    return await digestSnapshot(snapshot, count)
  } finally {
    await snapshot.close()
  }
}

async function hasAsManyRows(source: Snapshot, target: CopyTarget): Promise<boolean> {
  const there = await target.snapshot()
  try {
    for (const kind of kinds) if ((await source.count(kind)) !== (await there.count(kind))) return false
    return true
  } finally {
    await there.close()
  }
}

async function countAll(snapshot: Snapshot): Promise<number> {
  let all = 0
  for (const kind of kinds) all += await snapshot.count(kind)
  return all
}

function counter(stage: Parameters<CopyWatcher>[0], all: number, watch: CopyWatcher): (rows: number) => void {
  let done = 0
  return (rows) => watch(stage, (done += rows), all)
}

function otherCopyUnfinished(from: string, to: string): StorageError {
  return new StorageError(
    `The unfinished copy in ${withoutPassword(to)} is of another database, or ${withoutPassword(from)} was changed ` +
      'since: copy into a new database.',
  )
}

// Loads an engine only when it is used.
async function openSource(url: string): Promise<Snapshot> {
  const database = readDatabaseUrl(url)
  return database.engine === 'postgres'
    ? (await import('../postgres/upkeep/snapshot.ts')).openSource(database.url)
    : (await import('../sqlite/upkeep/snapshot.ts')).openSource(database.path)
}

async function openTarget(url: string): Promise<CopyTarget> {
  const database = readDatabaseUrl(url)
  return database.engine === 'postgres'
    ? (await import('../postgres/upkeep/copy-target.ts')).openCopyTarget(database.url)
    : (await import('../sqlite/upkeep/copy-target.ts')).openCopyTarget(database.path)
}

function refuseSame(from: string, to: string): void {
  const locations = [from, to].map((url) => {
    const database = readDatabaseUrl(url)
    if (database.engine === 'postgres') return withoutPassword(url)
    if (database.path === ':memory:') {
      throw new StorageError('An in-memory database cannot be copied: use a file.')
    }
    return existsSync(database.path) ? realpathSync(database.path) : resolve(database.path)
  })
  if (locations[0] === locations[1]) throw new StorageError(`${withoutPassword(to)} cannot be copied into itself.`)
}
