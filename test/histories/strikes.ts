import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Disk, DiskFaults } from '../faults/disk.ts'
import { childrenOf, type FaultyShop } from '../faults/shop.ts'
import type { Fault, FaultyProxy } from '../support/faulty-proxy.ts'
import { runSql } from '../support/postgres-databases.ts'
import type { PostgresPair } from '../support/postgres-pair.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import type { Proxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import type { Random } from './random.ts'

/** Something breaks, and is mended. */
export type Strike = (random: Random) => Promise<void>

const lost: Fault[] = ['reset', 'swallow', 'halve', 'late', 'slow', { status: 502, body: '<html>' }]
/** Nobody hears anything until the client gives up, which takes long. */
const silent: Fault[] = ['hang', 'stall']
const EIO = 5
const ENOSPC = 28

/** Some of the next requests, or their answers, are lost on their way. */
export function loseAnswers(proxy: FaultyProxy): Strike {
  return async (random) => {
    proxy.next(...Array.from({ length: 10 }, () => (random.chance(0.5) ? random.of(lost) : 'pass')))
    if (random.chance(0.2)) proxy.next(random.of(silent))
    if (random.chance(0.3)) proxy.cut()
  }
}

/** At once again after its start, now and then. */
export function kill(shop: FaultyShop): Strike {
  return async (random) => {
    for (let again = true; again; again = random.chance(0.3)) {
      await shop.kill()
      await shop.start()
    }
  }
}

export function killAll(shops: readonly FaultyShop[]): Strike {
  return async () => {
    await Promise.all(shops.map((shop) => shop.kill()))
    await Promise.all(shops.map((shop) => shop.start()))
  }
}

export function killWorker(shop: FaultyShop): Strike {
  return async (random) => {
    const worker = random.of(shop.workers())
    if (worker !== undefined) signal(worker, 'SIGKILL')
  }
}

/** A process that gets no time. Others go on, and may see it come back with what it knew before. */
export function pause(shop: FaultyShop): Strike {
  return async (random) => {
    const pid = random.of([shop.pid, ...shop.workers()])
    signal(pid, 'SIGSTOP')
    await wait(100 + random.number(900))
    signal(pid, 'SIGCONT')
  }
}

/** A worker may have ended meanwhile: the first process replaces one that is killed, or silent for too long. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export function terminateSessions(server: PostgresServer): Strike {
  return async () => {
    const client = new Client({ connectionString: server.url })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await client.end()
  }
}

/** All its processes end at the same moment. */
export function restartServer(server: PostgresServer): Strike {
  return async (random) => {
    const children = childrenOf(pidOf(server))
    if (random.chance(0.5)) await server.kill('SIGQUIT')
    else {
      const killed = server.kill('SIGKILL')
      for (const child of children) signal(child, 'SIGKILL')
      await killed
    }
    await server.start()
  }
}

/** One of its processes: then it ends all sessions and recovers by itself. */
export function killSession(server: PostgresServer): Strike {
  return async (random) => {
    const child = random.of(childrenOf(pidOf(server)))
    if (child !== undefined) signal(child, 'SIGKILL')
  }
}

/** All its processes get no time. */
export function pauseServer(server: PostgresServer): Strike {
  return async (random) => {
    const pids = [pidOf(server), ...childrenOf(pidOf(server))]
    for (const pid of pids) signal(pid, 'SIGSTOP')
    await wait(100 + random.number(3_000))
    for (const pid of pids) signal(pid, 'SIGCONT')
  }
}

/** It is killed, or hangs and is killed later. Meanwhile another one takes its place. */
export function loseServer(server: PostgresServer, promote: () => Promise<void>): Strike {
  return async (random) => {
    const pids = [pidOf(server), ...childrenOf(pidOf(server))]
    const name = random.chance(0.5) ? 'SIGKILL' : 'SIGSTOP'
    for (const pid of pids) signal(pid, name)
    await promote()
    for (const pid of pids) signal(pid, 'SIGKILL')
  }
}

function pidOf({ child }: PostgresServer): number {
  return child.pid as number
}

/** Connections to the database are cut, answers are late, or connections are half open: nothing comes back on them. */
export function disturbConnections(proxy: Proxy): Strike {
  return async (random) => {
    switch (random.number(3)) {
      case 0:
        return proxy.cut()
      case 1: {
        const { promise, resolve } = Promise.withResolvers<void>()
        proxy.delay = promise
        await wait(100 + random.number(2_000))
        proxy.delay = undefined
        return resolve()
      }
      default:
        proxy.watch = () => false
        await wait(random.number(1_000))
        proxy.watch = () => true
    }
  }
}

/** Commits stay away from the standby for a while, and longer than it may be late. */
export function pauseReplay({ standby }: PostgresPair): Strike {
  return async (random) => {
    await runSql(standby.url, 'SELECT pg_wal_replay_pause()')
    await wait(random.number(15_000))
    await runSql(standby.url, 'SELECT pg_wal_replay_resume()')
  }
}

/** The disk is full, or fails, for a moment. */
export function failDisk(disk: Disk, shop: FaultyShop): Strike {
  const faults: DiskFaults[] = [{ writeError: ENOSPC }, { writeError: EIO }, { syncError: EIO }]
  return async (random) => {
    disk.misbehave(random.of(faults))
    await wait(random.number(500))
    disk.misbehave({})
    await shop.isReady(true)
  }
}

/** The disk of a server is full for a moment. Sometimes it needs another file for its log, and ends. */
export function fillDisk(folder: string, server: PostgresServer): Strike {
  return async (random) => {
    const filler = join(folder, 'filler')
    fill(filler)
    if (random.chance(0.5)) await runSql(server.url, 'SELECT pg_switch_wal()').catch(() => undefined)
    await wait(random.number(3_000))
    rmSync(filler)
    await until(async () => {
      const { exitCode, signalCode } = server.child
      if (exitCode !== null || signalCode !== null) await server.start()
      return runSql(server.url, 'SELECT 1').then(
        () => true,
        () => false,
      )
    }, 120_000)
  }
}

/** Takes all room that is left. */
function fill(file: string): void {
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

/** What was written and not synced is gone, or some sectors of it. */
export function losePower(disk: Disk, shop: FaultyShop): Strike {
  return async (random) => {
    await shop.kill()
    disk.losePower(random.chance(0.5))
    await shop.start()
  }
}
