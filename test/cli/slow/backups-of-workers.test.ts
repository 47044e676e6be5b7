import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backupFiles } from '../../../src/cli/shared/backup-files.ts'
import { checkStorage } from '../../../src/storage/check/check.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

test('with workers one process makes the backup, and /metrics has its time', async (t) => {
  const folder = temporaryFolder(t)
  const env = { PETSTORE_BACKUP_FOLDER: folder, PETSTORE_API_KEY: 'a-key-for-the-backup-metrics' }
  const service = await startService(t, { env, args: ['--workers', '2'] })
  const metrics = async () => {
    const response = await fetch(`${service.origin}/metrics`, {
      headers: { authorization: `Bearer ${env.PETSTORE_API_KEY}` },
    })
    return response.text()
  }

  await until(() => readdirSync(folder).some((name) => name.endsWith('Z.db')))
  await until(async () => !(await metrics()).includes('petstore_backup_last_success_timestamp_seconds 0'))
  const text = await metrics()
  await service.stop()

  const [file = '', ...more] = readdirSync(folder)
  assert.deepEqual(more, [])
  const [, seconds] = /^petstore_backup_last_success_timestamp_seconds (\d+)$/m.exec(text) ?? []
  assert.equal(join(folder, file), backupFiles(folder, 'sqlite:./petstore.db').fileAt(Number(seconds) * 1_000))
  assert.match(text, /^petstore_backup_failures_total 0$/m)
  const results = await Array.fromAsync(checkStorage(`sqlite:${join(folder, file)}`, 'production'))
  assert.deepEqual(new Set(results.map(({ result }) => result)), new Set(['ok']))
})
