import { inspectStorage } from '../../storage/inspect.ts'
import { readDatabaseUrl, withoutPassword } from '../../storage/shared/url.ts'
import { readEnvironment } from '../shared/environment.ts'
import { checkBackupDisk, checkBackups } from './backup-age.ts'
import { checkCertificate } from './certificate.ts'
import { checkClock, checkDatabase, checkDeliveries, checkDurability, checkSchema } from './database.ts'
import { checkExposure } from './exposure.ts'
import { checkDisk, checkFolder, checkReaders } from './files.ts'
import { type Finding, problem } from './finding.ts'
import { checkMetricsAddress, checkPort } from './port.ts'
import { checkSettings } from './settings.ts'
import { lowFileLimit } from '../serving/file-limit.ts'

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
  const fewFiles = lowFileLimit()
  if (fewFiles !== undefined) yield problem('open files', fewFiles)
  if (config === undefined) return
  const { databaseUrl } = config
  const database = readDatabaseUrl(databaseUrl)
  if (database.engine === 'sqlite' && database.path !== ':memory:') {
    yield* await check('folder', () => checkFolder(database.path))
    yield* await check('disk', () => checkDisk(database.path))
  }
  let looked: Awaited<ReturnType<typeof checkDatabase>> = { found: [] }
  yield* await check('database', async () => {
    looked = await checkDatabase(withoutPassword(databaseUrl), config.environment, () => inspectStorage(databaseUrl))
    return looked.found
  })
  const { inspection, isInUse } = looked
  if (inspection !== undefined) {
    if (database.engine === 'sqlite') yield* checkReaders(database.path)
    else yield* checkDurability(inspection)
    yield* checkSchema(inspection)
    yield* checkDeliveries(inspection)
  }
  yield* await check('clock', () => checkClock(Date.now(), inspection))
  yield* await check('backup', async () => [...(await checkBackups(config, Date.now())), ...checkBackupDisk(config)])
  yield* await check('certificate', () => checkCertificate(config, Date.now()))
  yield* checkExposure(config)
  yield* await check('port', () => checkPort(config, isInUse))
  yield* await check('port', () => checkMetricsAddress(config))
}

/** An error that a check does not expect is a finding of its own, and the others are made. */
async function check(name: string, look: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    return [problem(name, `This could not be checked: ${String(error)}.`)]
  }
}
