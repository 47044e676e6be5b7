import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/engines.ts'

export interface DiskFaults {
  /** Syncs do nothing and report success. */
  forgetsSyncs?: boolean
  /** The errno with which every sync fails. */
  syncError?: number
  /** The errno with which every write fails. */
  writeError?: number
  /** Added to the time of day that the service sees. */
  clockOffsetSeconds?: number
}

/** A disk that misbehaves when it is told to, for one service. */
export interface Disk {
  /** Where the database has to be. */
  readonly folder: string
  /** Settings of the process that uses it. */
  readonly env: Record<string, string>
  misbehave(faults: DiskFaults): void
  /**
   * Leaves what a power loss would leave. Call it when the process was killed. What was written and not synced is gone,
   * or, with `keepsSome`, every sector of it by chance.
   */
  losePower(keepsSome: boolean): void
}

/** Undefined, with the test skipped, where there is no Linux or no C compiler. */
export function makeDisk(t: TestContext): Disk | undefined {
  const root = temporaryFolder(t)
  const [folder, synced, control, library] = ['disk', 'synced', 'control', 'disk.so'].map((name) =>
    join(root, name),
  ) as [string, string, string, string]
  for (const each of [folder, synced]) mkdirSync(each)
  const source = fileURLToPath(new URL('disk.c', import.meta.url))
  const compiler = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'])
  if (process.platform !== 'linux' || compiler.status !== 0) {
    t.skip('NOT TESTED: a misbehaving disk needs Linux and a C compiler.')
    return undefined
  }

  function misbehave({ forgetsSyncs = false, syncError = 0, writeError = 0, clockOffsetSeconds = 0 }: DiskFaults) {
    const bytes = Buffer.from([Number(forgetsSyncs), syncError, writeError, 0, 0, 0, 0, 0, ...Buffer.alloc(8)])
    bytes.writeBigInt64LE(BigInt(clockOffsetSeconds), 8)
    // In place: the process has the file mapped.
    writeFileSync(control, bytes, { flag: existsSync(control) ? 'r+' : 'w' })
  }

  misbehave({})
  return {
    folder,
    env: { LD_PRELOAD: library, DISK_FOLDER: folder, SYNCED_FOLDER: synced, CONTROL_FILE: control },
    misbehave,
    losePower(keepsSome) {
      for (const name of new Set([...readdirSync(folder), ...readdirSync(synced)])) {
        const [path, copy] = [join(folder, name), join(synced, name)]
        // SQLite syncs the folder when it removes a journal. Its shared memory (-shm) is never synced.
        const isLeft = existsSync(path) && existsSync(copy) && !name.endsWith('-shm')
        if (!isLeft) for (const each of [path, copy]) rmSync(each, { force: true })
        else {
          const left = keepsSome ? mix(readFileSync(copy), readFileSync(path)) : readFileSync(copy)
          for (const each of [path, copy]) writeFileSync(each, left)
        }
      }
    },
  }
}

const sectorBytes = 512

/** Takes each sector from one or the other by chance; the longer one has zeros where a sector is missing. */
function mix(synced: Buffer, written: Buffer): Buffer {
  const mixed = Buffer.alloc(Math.random() < 0.5 ? synced.length : Math.max(synced.length, written.length))
  synced.copy(mixed)
  for (let at = 0; at < Math.min(mixed.length, written.length); at += sectorBytes) {
    if (Math.random() < 0.5) written.copy(mixed, at, at, Math.min(at + sectorBytes, mixed.length))
  }
  return mixed
}
