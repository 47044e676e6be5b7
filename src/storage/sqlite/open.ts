import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../inventory/errors.ts'
import type { EngineOptions } from '../shared/ports/open-options.ts'
import { defaultBudget } from '../shared/reads/find-by-name.ts'
import type { WriteRelay } from '../shared/writes/relay.ts'
import { withoutCommits } from '../shared/writes/writer-stats.ts'
import { composeStorage, type SqliteStorage } from './compose-storage.ts'
import { relayCommitter, threadCommitter } from './writes/commit-targets.ts'
import { type FileIds, missingFiles } from './connection/database-files.ts'
import { refuseLostLog } from './connection/create-file.ts'
import { defaultLockTimeoutMs } from './connection/database.ts'
import { type Health, watchHealth } from './connection/health.ts'
import { whileLocked } from './connection/while-locked.ts'
import { openInMemory } from './open-in-memory.ts'
import { openReadOnly } from './open-read-only.ts'
import { prepareFile } from './prepare-file.ts'
import { readinessCheck } from './readiness.ts'
import { heldStates, type HoldState } from './reads/held-states.ts'
import { openReader } from './reads/open-reader.ts'
import { threadSearcher } from './reads/searcher.ts'
import { sharedSnapshot } from './reads/shared-snapshot.ts'
import { fileVersion } from './reads/version.ts'
import { type Committer, defaultWriteTimeoutMs, sqliteWriter } from './writes/writer.ts'

/** How long the writer process may take to say whether it can write. */
const relayCheckTimeoutMs = 1_500

/** The embedded engine: one file, one writer, reads on the event loop. With a `relay`, another process writes. */
export async function openSqlite(path: string, options: EngineOptions): Promise<SqliteStorage> {
  if (path === ':memory:') return openInMemory(options)
  const { relay, readOnly, report: waits } = options
  refuseLostLog(path)
  if (readOnly) return whileLocked(() => openReadOnly(path, options), { waits })
  if (relay !== undefined) return whileLocked(() => openRelayed(path, relay, options), { waits })
  const schema = await whileLocked(() => prepareFile(path, options), { waits })
  return whileLocked(() => openWriting(path, schema, options), { waits })
}

async function openWriting(path: string, schema: number, options: EngineOptions): Promise<SqliteStorage> {
  const { clock, report, searchBudget } = options
  const { lockTimeoutMs = defaultLockTimeoutMs, writeTimeoutMs = defaultWriteTimeoutMs } = options
  const committer = await threadCommitter({ path, schema, lockTimeoutMs }, report)
  const { files } = committer
  const health = watchHealth(path, { report, damaged: committer.disconnect })
  const { finishReads, commitWith, ...reads } = await openReads(path, { health, files, searchBudget }).catch(
    async (error: unknown) => {
      await committer.close()
      throw error
    },
  )
  const { reader } = reads

  // Closes the writer last: the last connection that may write removes the log, unless the log belongs to another
  // database by now.
  async function close(): Promise<void> {
    const isOurs = missingFiles(path, files) === undefined
    await finishReads()
    if (isOurs) reader.close()
    await committer.close()
    if (!isOurs) reader.close()
  }

  const writer = sqliteWriter({ commit: commitWith(committer), close }, { health, timeoutMs: writeTimeoutMs })
  const check = readinessCheck({ path, schema, files, reader, writer, health })
  return composeStorage({ path, ...reads, writer, health, clock, connect: committer.connect, check, files })
}

/** Only reads the file, which the first process has made and migrated. */
async function openRelayed(path: string, relay: WriteRelay, options: EngineOptions): Promise<SqliteStorage> {
  const { clock, searchBudget, writeTimeoutMs = defaultWriteTimeoutMs } = options
  const health = watchHealth(path, { damaged: (message) => relay.foundDamage(message).catch(() => undefined) })
  const files = (await relay.files()) as FileIds
  const { finishReads, commitWith, ...reads } = await openReads(path, { health, files, searchBudget })
  async function close(): Promise<void> {
    await finishReads()
    reads.reader.close()
  }
  const commit = commitWith(relayCommitter(relay))
  const writer = sqliteWriter({ commit, close }, { health, timeoutMs: writeTimeoutMs })
  // The process that writes counts the commits.
  const writerStats = () => withoutCommits(writer.stats())

  async function check(): Promise<void> {
    const silent = sleep(relayCheckTimeoutMs, undefined, { ref: false }).then(() => {
      throw unavailable('The writer process does not respond.')
    })
    await Promise.race([relay.check(), silent])
  }
  return composeStorage({ path, ...reads, writer, writerStats, health, clock, check })
}

interface ReadParts extends Pick<EngineOptions, 'searchBudget'> {
  health: Health
  files: FileIds
}

/** Opens the connection for reads. Refuses other files than those that are written. */
async function openReads(path: string, { health, files, searchBudget = defaultBudget }: ReadParts) {
  const open = () => openReader(path, { health, files })
  const reader = open()
  const snapshot = sharedSnapshot(reader)
  const searcher = threadSearcher({ path, files }, { reader, snapshot, budget: searchBudget })
  const states = heldStates(open)
  const hold: HoldState = (read, caller) => snapshot.endAfter(states.hold(read, caller))
  return {
    reader,
    searcher,
    hold,
    searchBudget,
    readAtEndOfTick: snapshot.readAtEndOfTick,
    version: fileVersion(reader, snapshot, health),
    /** Commits so that later reads see what was committed. */
    commitWith({ commit }: Pick<Committer, 'commit'>): Committer['commit'] {
      return (group) => snapshot.endAfter(commit(group))
    },
    async finishReads(): Promise<void> {
      await searcher.close()
      await states.close()
      snapshot.finish()
    },
  }
}
