import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { run, startCommand } from '../support/service.ts'
import { assertRefused, assertSaid, env, folderWith, namesIn, numbered, threeRows } from '../support/imported-files.ts'

test('an import that is killed is pointed out, and --resume adds every other row, each once, and counts the rejects', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': `name,categoryId\n${numbered(15_000)}bad,x\n${numbered(20_000, 15_000)}` })
  await killInTheMiddle(t, cwd)
  const before = namesIn(cwd).length

  const plain = await run(t, ['import', 'animals.csv'], { cwd, env })
  const resumed = await run(t, ['import', 'animals.csv', '--resume'], { cwd, env })
  const again = await run(t, ['import', 'animals.csv', '--resume'], { cwd, env })

  assert.ok(before > 0 && before < 12_000, `${before} animals before the kill`)
  assertRefused(
    plain,
    /^petstore: An import of animals\.csv was interrupted after row [\d,]+: --resume .* --restart .*\.\n$/,
  )
  assert.equal(resumed.code, 1)
  assert.match(
    resumed.stdout,
    new RegExp(`^Added ${(20_000 - before).toLocaleString('en')} animals to .* in .*: 1 row rejected`),
  )
  assert.equal(readFileSync(join(cwd, 'animals.csv.rejects.csv'), 'utf8').split('\n')[1]?.slice(0, 6), '15002,')
  assert.equal(again.code, 1)
  assert.match(again.stdout, /^Nothing to import: animals\.csv is already imported into \S+, with 1 row rejected\.\n$/)
  assert.deepEqual(
    namesIn(cwd),
    Array.from({ length: 20_000 }, (_, index) => `pet ${index + 1}`),
  )
})

test('--restart begins an import that was stopped anew', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': `name,categoryId\n${numbered(20_000)}` })
  await killInTheMiddle(t, cwd)
  const before = namesIn(cwd).length

  const ran = await run(t, ['import', 'animals.csv', '--restart'], { cwd, env })

  assertSaid(ran, /^Added 20,000 animals to \S+ in /)
  assert.equal(namesIn(cwd).length, before + 20_000)
})

test('an import of the same file again adds its animals again', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': threeRows })
  await run(t, ['import', 'animals.csv'], { cwd, env })

  const ran = await run(t, ['import', 'animals.csv'], { cwd, env })

  assertSaid(ran, /^Added 3 animals to \S+ in /)
  assert.equal(namesIn(cwd).length, 6)
})

test('--resume of a file that was never imported imports it', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': threeRows })

  assertSaid(await run(t, ['import', 'animals.csv', '--resume'], { cwd, env }), /^Added 3 animals to \S+ in /)
})

test('--resume knows a file by its content, not by its name', async (t) => {
  const cwd = folderWith(t, { 'animals.csv': threeRows, 'copy.csv': threeRows, 'changed.csv': `${threeRows}Kiwi,4,\n` })
  await run(t, ['import', 'animals.csv'], { cwd, env })

  assertSaid(
    await run(t, ['import', 'copy.csv', '--resume'], { cwd, env }),
    /^Nothing to import: all rows of copy\.csv are already imported into \S+\.\n$/,
  )
  assertSaid(await run(t, ['import', 'changed.csv', '--resume'], { cwd, env }), /^Added 4 animals to \S+ in /)
})

/** Kills an import of animals.csv when its first rows are in and it is in the middle of adding more. */
async function killInTheMiddle(t: TestContext, cwd: string): Promise<void> {
  await run(t, ['migrate'], { cwd, env })
  const db = new DatabaseSync(join(cwd, 'petstore.db'), { timeout: 10_000 })
  // An animal that takes so long to add that no import gets past it.
  db.exec(`
    CREATE TRIGGER endless BEFORE INSERT ON pets WHEN NEW.name = 'pet 12000' BEGIN
      SELECT count(*) FROM (
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000000000) SELECT i FROM n
      );
    END`)
  const { child } = startCommand(t, ['import', 'animals.csv'], { cwd, env })
  const closed = once(child, 'close')
  while (db.prepare('SELECT 1 FROM pets').get() === undefined) {
    assert.equal(child.exitCode, null, 'the import ended by itself')
    await wait(5)
  }
  child.kill('SIGKILL')
  await closed
  db.exec('DROP TRIGGER endless')
  db.close()
}
