import type { Environment } from '../../contract/environment.ts'
import type { Inspection } from '../../storage/shared/inspection.ts'
import { StorageError } from '../../storage/shared/errors.ts'
import { type Finding, findings } from './finding.ts'

/** Before this moment the program did not exist. */
const earliestTime = Date.UTC(2026, 10, 1)
const maxClockDifferenceMs = 5_000

/** Whether the database can be opened and belongs to this deployment. Without an inspection if there is nothing to see. */
export async function checkDatabase(
  shown: string,
  environment: Environment,
  inspect: () => Promise<Inspection | undefined>,
): Promise<{ inspection?: Inspection; found: Finding[] }> {
  try {
    const inspection = await inspect()
    if (inspection === undefined && shown === 'sqlite::memory:') {
      return { found: findings('database', '', [['warning', `${shown} loses all data when the service stops.`]]) }
    }
    if (inspection === undefined) {
      return { found: findings('database', `There is no database ${shown} yet: petstore serve makes it.`, []) }
    }
    return { inspection, found: findings('database', `${shown} can be read.`, notUsable(inspection, environment)) }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { found: findings('database', '', [['problem', error.message]]) }
  }
}

function notUsable({ environment: stamped, hasUnfinishedCopy }: Inspection, environment: Environment) {
  const found: ['problem', string][] = []
  if (stamped !== undefined && stamped !== environment) {
    found.push(['problem', `It belongs to ${stamped}, but PETSTORE_ENVIRONMENT is ${environment}: change one of them.`])
  }
  if (hasUnfinishedCopy) found.push(['problem', 'It has an unfinished copy: run petstore copy again to resume it.'])
  return found
}

/** Whether an acknowledged write survives a crash and a power loss. */
export function checkDurability({ unsafe, doubtful }: Inspection): Finding[] {
  return findings('durability', 'An acknowledged write is on disk.', [
    ...unsafe.map((sentence) => ['problem', sentence] as ['problem', string]),
    ...doubtful.map((sentence) => ['warning', sentence] as ['warning', string]),
  ])
}

/** Whether this version can use the tables. */
export function checkSchema({ schema, latestSchema, maxAhead }: Inspection): Finding[] {
  const well = `The schema is ${schema}, the one of this version.`
  if (schema === 0) return findings('schema', 'The database is empty: petstore serve makes its tables.', [])
  if (schema < latestSchema) {
    return findings('schema', well, [
      [
        'warning',
        `The schema is ${schema}, this version has ${latestSchema}: petstore serve or petstore migrate updates it. ` +
          'Make a backup first.',
      ],
    ])
  }
  const ahead = schema - latestSchema
  if (ahead === 0) return findings('schema', well, [])
  return findings('schema', well, [
    ahead <= maxAhead
      ? ['warning', `The schema is ${schema}, one ahead of this version (${latestSchema}): finish the upgrade.`]
      : ['problem', `The schema is ${schema}, this version has ${latestSchema}: run the newer version.`],
  ])
}

/** Whether the clock is right, as far as the database can tell: events and expiry use it. */
export function checkClock(now: number, inspection?: Pick<Inspection, 'latestEventAt' | 'clocks'>): Finding[] {
  const found: ['problem' | 'warning', string][] = []
  const time = new Date(now).toISOString()
  if (now < earliestTime) found.push(['problem', `The clock says ${time}, which is in the past: set it.`])
  const aheadMs = (inspection?.latestEventAt ?? 0) - now
  if (aheadMs > maxClockDifferenceMs) {
    found.push([
      'problem',
      `The clock says ${time}, but the latest event is from ${new Date(now + aheadMs).toISOString()}: one of them is ` +
        'wrong. Set the clock.',
    ])
  }
  const { server = 0, here = 0 } = inspection?.clocks ?? {}
  if (Math.abs(server - here) > maxClockDifferenceMs) {
    const seconds = Math.round((server - here) / 1_000)
    found.push(['warning', `The clock of PostgreSQL is ${seconds} s ahead of this one: set both by NTP.`])
  }
  return findings('clock', `The clock says ${time}.`, found)
}
