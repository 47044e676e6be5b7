import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { postgres, sqlite, temporaryFolder } from '../../support/engines.ts'
import { runAll } from '../../support/postgres-databases.ts'
import { run, runProcess, startCommand } from '../../support/service.ts'
import {
  countIn,
  envOf,
  failAt,
  fileOf,
  grouped,
  migrated,
  names,
  namesIn,
  onFile,
  rows,
  valuesIn,
} from '../../support/import-endings.ts'

// However an import ends, it tells how many animals went in, and the shop has exactly those.

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: an import that is killed is resumed, and every row goes in once`, async (t) => {
    const url = await migrated(t, engine)
    const { cwd, file } = fileOf(t, 12_000)
    await failAt(url, 'pet 11000', 'never ends')
    const { child, closed } = startCommand(t, ['import', file], { cwd, env: envOf(url) })
    while ((await countIn(url)) < 5_000) await wait(5)
    child.kill('SIGKILL')
    await closed
    await repair(url)
    const before = await countIn(url)

    const refused = await runProcess(t, ['import', file], { cwd, env: envOf(url) })
    const resumed = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })
    const again = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      new RegExp(`was interrupted after row ${grouped(before)}: --resume .* --restart .*\\.\n$`),
    )
    assert.match(resumed.stdout, new RegExp(`^Added ${grouped(12_000 - before)} animals to .* in `))
    assert.match(again.stdout, /^Nothing to import/)
    assert.deepEqual(await namesIn(url), names(12_000))
  })

  test(`${engine.name}: an import that makes categories and is killed leaves none without animals, and is resumed`, async (t) => {
    const url = await migrated(t, engine)
    const cwd = temporaryFolder(t)
    const lines = names(12_000).map((name, index) => `${name},Kind ${Math.floor(index / 1_000)}\n`)
    writeFileSync(join(cwd, 'animals.csv'), `name,categoryName\nlost,\n${lines.join('')}`)
    await failAt(url, 'pet 11000', 'never ends')
    const args = ['import', 'animals.csv', '--create-categories']
    const { child, closed } = startCommand(t, args, { cwd, env: envOf(url) })
    while ((await countIn(url)) < 4_000) await wait(5)
    child.kill('SIGKILL')
    await closed
    await repair(url)
    const without =
      'SELECT name FROM categories WHERE NOT EXISTS (SELECT 1 FROM pets WHERE category_id = categories.id)'
    const left = await valuesIn(url, without)

    const other = await run(t, ['import', 'animals.csv', '--resume'], { cwd, env: envOf(url) })
    const resumed = await run(t, [...args, '--resume'], { cwd, env: envOf(url) })

    assert.deepEqual(left, [])
    assert.match(other.stderr, /^petstore: The rows that are done have changed, or were read .* with other options\./)
    assert.match(resumed.stdout, /^Added [\d,]+ animals to .* in .*: 1 row rejected/)
    assert.equal(readFileSync(join(cwd, 'animals.csv.rejects.csv'), 'utf8').split('\n').length, 3)
    assert.deepEqual(await namesIn(url), names(12_000))
    const counts = await valuesIn(
      url,
      `SELECT categories.name || ' ' || count(*) FROM categories JOIN pets ON category_id = categories.id
         GROUP BY categories.id, categories.name ORDER BY categories.id`,
    )
    assert.deepEqual(
      counts,
      Array.from({ length: 12 }, (_none, index) => `Kind ${index} 1000`),
    )
  })

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${engine.name}: ${signal} ends an import between two batches, and tells what went in`, async (t) => {
      const url = await migrated(t, engine)
      const { child, closed, output } = startCommand(t, ['import', '-', '--format', 'csv'], {
        env: envOf(url),
        holdsInput: true,
      })
      child.stdin.write(rows(12_000))
      while ((await countIn(url)) < 5_000) await wait(5)

      child.kill(signal)
      const [code] = await closed

      const added = await countIn(url)
      assert.equal(code, 1)
      assert.equal(output.stderr, `petstore: The import was stopped. ${grouped(added)} animals added.\n`)
    })
  }

  test(`${engine.name}: an import whose rejects cannot be written tells what went in, and is resumed`, async (t) => {
    const url = await migrated(t, engine)
    const { cwd, file } = fileOf(t, 12_000, 'bad,x\n')
    const args = ['import', file, '--rejects', 'no/folder.csv']

    const ended = await run(t, args, { cwd, env: envOf(url) })
    const before = await countIn(url)
    const resumed = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

    assert.equal(ended.code, 1)
    assert.equal(
      lastLine(ended.stderr),
      `petstore: The file no/folder.csv cannot be written (ENOENT). ${grouped(before)} animals added. ` +
        '--resume adds the missing rows.',
    )
    assert.match(resumed.stdout, new RegExp(`^Added ${grouped(12_000 - before)} animals to .* in .*: 1 row rejected`))
    assert.deepEqual(await namesIn(url), names(12_000))
  })

  test(`${engine.name}: an import that cannot be stored tells what went in, and is resumed`, async (t) => {
    const url = await migrated(t, engine)
    const { cwd, file } = fileOf(t, 12_000)
    await failAt(url, 'pet 11000', 'fails')

    const first = await run(t, ['import', file], { cwd, env: envOf(url) })
    const before = await countIn(url)
    const second = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })
    await repair(url)
    const third = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

    assert.deepEqual([first.code, second.code, third.code], [1, 1, 0])
    assert.ok(before > 0 && before < 11_000, `${before} animals before the failure`)
    assert.match(first.stderr, new RegExp(` ${grouped(before)} animals added\\. --resume adds the missing rows\\.\n$`))
    assert.match(second.stderr, / No animals were added\. --resume adds the missing rows\.\n$/)
    assert.deepEqual(await namesIn(url), names(12_000))
  })
}

async function repair(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) return onFile(url, 'DROP TRIGGER failing')
  await runAll(url, [
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'`,
    'DROP FUNCTION fail CASCADE',
  ])
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}
