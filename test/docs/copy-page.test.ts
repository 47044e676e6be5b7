import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryFolder } from '../support/engines.ts'
import { run, startService } from '../support/service.ts'

test('the page shows what a copy of a demo shop prints', async (t) => {
  const page = readFileSync(new URL('../../docs/moving-data.md', import.meta.url), 'utf8')
  const shown = /^ {3}(TABLE .*?)^ {3}```/ms.exec(page)?.[1] ?? ''
  const cwd = temporaryFolder(t)
  const service = await startService(t, { args: ['--demo'], cwd })
  await service.stop()

  const { stdout } = await run(t, ['copy', '--from', 'sqlite:./data/petstore.db', '--to', 'sqlite:./new.db'], { cwd })

  const [rows = '', end = ''] = normalised(shown).split('…\n\n')
  assert.match(rows, /pets +10 HASH\n$/)
  assert.ok(normalised(stdout).startsWith(rows), stdout)
  assert.ok(normalised(stdout).includes(end.trim()), stdout)
})

/** Without what differs from shop to shop. */
function normalised(text: string): string {
  return text
    .replaceAll(/^ +/gm, '')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/ +HASH/g, ' HASH')
    .replace(/ to \S+ in [\d.]+ s/, ' to TARGET in TIME')
}
