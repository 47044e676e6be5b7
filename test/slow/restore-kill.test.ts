import assert from 'node:assert/strict'
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { backupStorage } from '../../src/storage/backup.ts'
import { checkStorage } from '../../src/storage/check/check.ts'
import { temporaryFolder } from '../support/engines.ts'
import { runProcess } from '../support/service.ts'

// A restore is killed before each change that it makes to a file.

const preload = new URL('../support/kill-at-step.ts', import.meta.url).href

test('a restore that is killed at any step leaves the whole old database or the whole new one', async (t) => {
  const { cwd, crash } = await shopAndBackup(t)

  const left = await killAtEveryStep(t, cwd, crash)

  assert.deepEqual([...new Set(left)], ['old, younger', 'backup'])
})

test('a restore that is killed at any step never applies the log of a lost database to the new one', async (t) => {
  const { cwd, crash } = await shopAndBackup(t)

  const left = await killAtEveryStep(t, cwd, () => {
    crash()
    rmSync(join(cwd, 'petstore.db'))
  })

  assert.deepEqual([...new Set(left)], ['nothing', 'backup'])
})

test('a restore over a file that is no database is killed at any step: the file or the new database', async (t) => {
  const { cwd, crash } = await shopAndBackup(t)

  const left = await killAtEveryStep(t, cwd, () => {
    crash()
    writeFileSync(join(cwd, 'petstore.db'), 'overwritten by accident')
  })

  assert.deepEqual([...new Set(left)], ['The database is not a SQLite database.', 'backup'])
})

/** What is in the place of the database after a kill at each step, and at last without one. */
async function killAtEveryStep(t: TestContext, cwd: string, prepare: () => void): Promise<string[]> {
  const left: string[] = []
  for (let step = 1; ; step++) {
    prepare()
    const env = { PETSTORE_DATABASE_URL: 'sqlite:petstore.db', NODE_OPTIONS: `--import=${preload}` }
    const ran = await runProcess(t, ['restore', 'backup.db', '--overwrite'], {
      cwd,
      env: { ...env, KILL_AT_STEP: `${step}` },
    })
    left.push(await animalsIn(join(cwd, 'petstore.db')))
    if (ran.code !== null) {
      assert.deepEqual([ran.code, ran.stderr], [0, ''])
      assert.ok(step > 5, `only ${step} steps`)
      return left
    }
  }
}

/** A backup, and a database that lost its process: its younger animal is in the log only. */
async function shopAndBackup(t: TestContext): Promise<{ cwd: string; crash: () => void }> {
  const cwd = temporaryFolder(t)
  const path = join(temporaryFolder(t), 'petstore.db')
  const storage = await openStorage(`sqlite:${path}`, { environment: 'production' })
  t.after(() => storage.close())
  await storage.pets.create({ name: 'backup', categoryId: 1n })
  await backupStorage(`sqlite:${path}`, join(cwd, 'backup.db'))
  await storage.pets.update(1n, { name: 'old' })
  await storage.pets.create({ name: 'younger', categoryId: 2n })
  return {
    cwd,
    crash() {
      for (const ending of ['', '-wal', '-shm']) copyFileSync(path + ending, join(cwd, `petstore.db${ending}`))
    },
  }
}

/** The names of the animals in a database that passes its check; what is wrong otherwise. */
async function animalsIn(path: string): Promise<string> {
  if (!existsSync(path)) return 'nothing'
  try {
    for await (const { result, sentences } of checkStorage(`sqlite:${path}`, 'production')) {
      if (result === 'wrong') return sentences.join(' ')
    }
  } catch (error) {
    return (error as Error).message.replaceAll(path, 'The database')
  }
  const storage = await openStorage(`sqlite:${path}`)
  const { items } = await storage.pets.list({}, 100, 0n)
  await storage.close()
  return items.map(({ name }) => name).join(', ')
}
