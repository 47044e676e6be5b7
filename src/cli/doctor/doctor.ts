import { inspectStorage } from '../../storage/inspect.ts'
import { readDatabaseUrl, withoutPassword } from '../../storage/shared/url.ts'
import { type Config, readEnvironment } from '../shared/config.ts'
import { checkBackupDisk, checkBackups } from './backup-age.ts'
import { checkCertificate } from './certificate.ts'
import { checkClock, checkDatabase, checkDurability, checkSchema } from './database.ts'
import { checkExposure } from './exposure.ts'
import { checkDisk, checkFolder } from './files.ts'
import type { Finding } from './finding.ts'
import { checkPort } from './port.ts'
import { checkSettings } from './settings.ts'

/** Looks for what could go wrong with this deployment. Changes nothing. The exit code is 1 if there is a problem. */
export async function doctor({ json = false }: { json?: boolean }): Promise<void> {
  const found: Finding[] = []
  for await (const finding of examine()) {
    found.push(finding)
    if (!json) process.stdout.write(`${finding.result.padEnd(9)}${finding.check.padEnd(13)}${finding.sentence}\n`)
  }
  const ok = found.every(({ result }) => result !== 'problem')
  if (json) process.stdout.write(`${JSON.stringify({ ok, checks: found }, null, 2)}\n`)
  if (!ok) process.exitCode = 1
}

async function* examine(): AsyncGenerator<Finding> {
  const { config, found } = checkSettings(readEnvironment)
  yield* found
  if (config === undefined) return
  yield* examineDatabase(config)
  yield* await checkBackups(config, Date.now())
  yield* checkBackupDisk(config)
  yield* checkCertificate(config, Date.now())
  yield* checkExposure(config)
  yield* await checkPort(config)
}

async function* examineDatabase({ databaseUrl, environment }: Config): AsyncGenerator<Finding> {
  const database = readDatabaseUrl(databaseUrl)
  if (database.engine === 'sqlite' && database.path !== ':memory:') {
    yield* checkFolder(database.path)
    yield* await checkDisk(database.path)
  }
  const shown = withoutPassword(databaseUrl)
  const { inspection, found } = await checkDatabase(shown, environment, () => inspectStorage(databaseUrl))
  yield* found
  if (inspection !== undefined) {
    if (database.engine === 'postgres') yield* checkDurability(inspection)
    yield* checkSchema(inspection)
  }
  yield* checkClock(Date.now(), inspection)
}
