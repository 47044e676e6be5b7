import { PetStoreError } from '../../inventory/errors.ts'
import { kinds } from '../../inventory/snapshot.ts'
import { copyStorage, type CopyWatcher } from '../../storage/copy/copy.ts'
import type { SnapshotDigest } from '../../storage/copy/snapshot-digest.ts'
import { withoutPassword } from '../../storage/shared/url.ts'
import { settings } from '../shared/config.ts'
import { Failure, reasonOf } from '../shared/failure.ts'
import { table } from '../shared/table.ts'
import { amount, grouped, seconds } from './format-numbers.ts'
import { openProgress, type Progress } from './progress.ts'
import { endedLines } from './ended-parts.ts'

export interface CopyOptions {
  from: string
  to: string
}

/** Copies everything from one database to another. The exit code is 0 only if both are equal at the end. */
export async function copy({ from, to }: CopyOptions): Promise<void> {
  refuseMalformed('--from', from)
  refuseMalformed('--to', to)
  const start = performance.now()
  const { watch, clear } = progressByStage()
  try {
    const { rows, digests, ended } = await copyStorage(from, to, watch)
    clear()
    const names = `${withoutPassword(from)} to ${withoutPassword(to)}`
    const summary =
      rows === 0
        ? `Everything is already copied from ${names}`
        : `Copied ${amount(rows, 'row')} from ${names} in ${seconds(performance.now() - start)}`
    process.stdout.write(`${digestTable(digests)}\n\n${summary}: both databases are equal.\n${endedLines(ended)}`)
  } catch (error) {
    throw explain(error)
  } finally {
    clear()
  }
}

function refuseMalformed(option: string, url: string): void {
  const { allowed, read } = settings.databaseUrl
  if (read(url) === undefined) throw new Failure(`${option} must be ${allowed}, got "${withoutPassword(url)}".`)
}

/** Shows a progress line for each stage of a copy, with its own rate and remaining time. */
function progressByStage(): { watch: CopyWatcher; clear(): void } {
  let progress: Progress | undefined
  let current: string | undefined
  return {
    watch(stage, rows, all) {
      if (stage !== current) {
        progress?.clear()
        progress = openProgress(process.stderr, { things: `rows ${stage}` })
        current = stage
      }
      progress?.update(rows, Math.min(rows / all, 1))
    },
    clear: () => progress?.clear(),
  }
}

function digestTable(digests: SnapshotDigest): string {
  const rows = kinds.map((kind) => [kind, grouped(digests[kind].rows), digests[kind].digest])
  return table(['TABLE', 'ROWS', 'SHA-256'], rows)
}

// An interruption may be temporary.
function explain(error: unknown): unknown {
  if (!(error instanceof PetStoreError) || error.code !== 'unavailable') return error
  return new Failure(`The copy was interrupted (${reasonOf(error)}): run the same command again to resume it.`)
}
