import assert from 'node:assert/strict'
import { constants } from 'node:os'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { compare } from '../ledger/ledger.ts'
import { startLoad } from '../ledger/load.ts'
import { readShop } from '../ledger/verdict.ts'
import { databaseIn } from '../support/service.ts'
import { type Disk, makeDisk } from './disk.ts'
import { startCheckpoints } from './checkpoints.ts'
import { withstands } from './prove.ts'
import { type FaultyShop, openShop } from './shop.ts'

const { EIO, ENOSPC } = constants.errno

export function powerLoss(rounds: number): void {
  onDisk('SQLite: a power loss that drops all that was not synced, or some sectors of it', async (t, shop, disk) => {
    await withstands(t, shop, rounds, (round) => losePower(shop, disk, round % 2 === 1))
  })

  onDisk('SQLite, to prove the proof: a disk that forgets syncs does lose data', async (t, shop, disk) => {
    disk.misbehave({ forgetsSyncs: true })
    assert.match(await lossOf(t, shop, disk), /was acknowledged and is lost/)
  })
}

/** The load alone does not fill the log, so that it would be written into the database. */
export function powerLossAtCheckpoints(rounds: number): void {
  onDisk('SQLite: a power loss while the log is written into the database', async (t, shop, disk) => {
    await withstands(t, shop, rounds, async (round) => {
      const checkpoints = startCheckpoints(t, disk)
      await checkpoints.areMade(20)
      checkpoints.kill()
      await losePower(shop, disk, round % 2 === 1)
    })
  })

  onDisk('SQLite, to prove the proof: checkpoints that do not sync do lose data', async (t, shop, disk) => {
    const loss = await lossOf(t, shop, disk, async () => {
      const checkpoints = startCheckpoints(t, disk, 'OFF')
      await checkpoints.areMade(20)
      checkpoints.kill()
    })
    assert.match(loss, /was acknowledged and is lost|The service did not start: .*malformed|A page has status 503/s)
  })
}

/** What a power loss after `strike` has lost, or why the shop cannot be read after it. */
async function lossOf(
  t: TestContext,
  shop: FaultyShop,
  disk: Disk,
  strike: () => Promise<void> = async () => undefined,
): Promise<string> {
  const load = startLoad(t, shop.origin)
  await load.flows()
  await strike()
  try {
    await losePower(shop, disk, false, load.abandon)
    return compare(load.ledger, await readShop(shop.origin)).join('\n')
  } catch (error) {
    return (error as Error).message
  }
}

/** Errors of the disk, and of the clock, which the same library fakes. */
export function diskErrors(rounds: number): void {
  for (const [what, faults] of [
    ['a disk that cannot sync', { syncError: EIO }],
    ['a disk that cannot write', { writeError: EIO }],
    ['a full disk', { writeError: ENOSPC }],
  ] as const) {
    onDisk(`SQLite: ${what}`, async (t, shop, disk) => {
      await withstands(t, shop, rounds, async (round) => {
        disk.misbehave(faults)
        await shop.isReady(false)
        if (round % 2 === 1) await shop.kill()
        disk.misbehave({})
        if (round % 2 === 1) await shop.start()
        await shop.isReady(true)
      })
    })
  }

  onDisk('SQLite: a clock that jumps ahead and back by hours', async (t, shop, disk) => {
    await withstands(t, shop, rounds, async (round) => {
      disk.misbehave({ clockOffsetSeconds: (round % 2 === 0 ? 1 : -1) * 3_600 * (1 + round) })
      await wait(500)
      if (round % 3 === 2) disk.misbehave({})
    })
  })
}

function onDisk(name: string, prove: (t: TestContext, shop: FaultyShop, disk: Disk) => Promise<void>): void {
  test(name, async (t) => {
    const disk = makeDisk(t)
    if (disk === undefined) return
    await prove(t, await openShop(t, { env: { PETSTORE_DATABASE_URL: databaseIn(disk.folder), ...disk.env } }), disk)
  })
}

async function losePower(shop: FaultyShop, disk: Disk, keepsSome: boolean, whileOff?: () => void): Promise<void> {
  await shop.kill()
  whileOff?.()
  disk.losePower(keepsSome)
  disk.misbehave({})
  await shop.start()
}
