import type { Environment } from '../../contract/environment.ts'
import type { Inspection } from '../../storage/shared/inspection.ts'
import { StorageError } from '../../storage/shared/errors.ts'
import { firstSchema, mixedSchema, unfinishedCopyAdvice } from '../../storage/shared/refusals.ts'
import { type Finding, ok, orOk, problem, warning } from './finding.ts'

/** Before this moment the program did not exist. */
const earliestTime = Date.UTC(2026, 10, 1)
const maxClockDifferenceMs = 5_000

/** Whether the database can be opened and belongs to this deployment. Without an inspection if there is nothing to see. */
export async function checkDatabase(
  shown: string,
  environment: Environment,
  inspect: () => Promise<Inspection | undefined>,
): Promise<{ inspection?: Inspection; isInUse?: boolean; found: Finding[] }> {
  try {
    const inspection = await inspect()
    if (inspection === undefined && shown === 'sqlite::memory:') {
      return { found: [warning('database', `${shown} loses all data when the service stops.`)] }
    }
    if (inspection === undefined) {
      return { isInUse: false, found: [ok('database', `There is no database ${shown} yet: petstore serve makes it.`)] }
    }
    const { isInUse } = inspection
    return { inspection, isInUse, found: orOk(notUsable(inspection, environment), 'database', `${shown} can be read.`) }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { found: [problem('database', error.message)] }
  }
}

function notUsable(
  { environment: stamped, hasUnfinishedCopy, notWritable }: Inspection,
  environment: Environment,
): Finding[] {
  const found: Finding[] = []
  if (stamped !== undefined && stamped !== environment) {
    found.push(
      problem('database', `It belongs to ${stamped}, but PETSTORE_ENVIRONMENT is ${environment}: change one of them.`),
    )
  }
  if (hasUnfinishedCopy) {
    found.push(problem('database', `It has an unfinished copy: ${unfinishedCopyAdvice}.`))
  }
  if (notWritable !== undefined) found.push(problem('database', notWritable))
  return found
}

/** Whether an acknowledged write survives a crash and a power loss. */
export function checkDurability({ unsafe, doubtful }: Inspection): Finding[] {
  const problems = unsafe.map((sentence) => problem('durability', sentence))
  const warnings = doubtful.map((sentence) => warning('durability', sentence))
  return orOk([...problems, ...warnings], 'durability', 'An acknowledged write is on disk.')
}

/** Whether events reach webhooks. Nothing without enabled webhooks, or while nothing serves. */
export function checkDeliveries({
  deliveriesUnattendedSince: since,
  isInUse,
}: Pick<Inspection, 'deliveriesUnattendedSince' | 'isInUse'>): Finding[] {
  if (since === undefined || !isInUse) return []
  const sentence = `No process sends events to webhooks since ${new Date(since).toISOString()}`
  return [problem('webhooks', `${sentence}: start the service; if it runs, its log says why.`)]
}

/** Whether this version can use the tables. */
export function checkSchema({ schema, latestSchema, maxAhead, newerPart }: Inspection): Finding[] {
  if (schema === 0) return [ok('schema', 'The database is empty: petstore serve makes its tables.')]
  if (schema < firstSchema) {
    return [problem('schema', `The schema is ${schema}, from before the first release: use a new database.`)]
  }
  if (newerPart !== undefined) return [problem('schema', `In the database ${mixedSchema(schema, newerPart)}.`)]
  if (schema === latestSchema) return [ok('schema', `The schema is ${schema}, the one of this version.`)]
  if (schema < latestSchema) {
    const sentence = `The schema is ${schema}, this version has ${latestSchema}: petstore serve or petstore migrate updates it.`
    return [warning('schema', `${sentence} Make a backup first.`)]
  }
  if (schema <= latestSchema + maxAhead) {
    return [
      warning('schema', `The schema is ${schema}, one ahead of this version (${latestSchema}): finish the upgrade.`),
    ]
  }
  return [problem('schema', `The schema is ${schema}, this version has ${latestSchema}: run the newer version.`)]
}

/** Whether the clock is right, as far as the database can tell: events and expiry use it. */
export function checkClock(now: number, inspection?: Pick<Inspection, 'latestEventAt' | 'clocks'>): Finding[] {
  const found: Finding[] = []
  const time = new Date(now).toISOString()
  if (now < earliestTime) found.push(problem('clock', `The clock says ${time}, which is in the past: set it.`))
  const aheadMs = (inspection?.latestEventAt ?? 0) - now
  if (aheadMs > maxClockDifferenceMs) {
    const latest = new Date(now + aheadMs).toISOString()
    const sentence = `The clock says ${time}, but the latest event is from ${latest}: one of them is wrong.`
    found.push(problem('clock', `${sentence} Set the clock.`))
  }
  const { server = 0, here = 0 } = inspection?.clocks ?? {}
  if (Math.abs(server - here) > maxClockDifferenceMs) {
    const seconds = Math.round(Math.abs(server - here) / 1_000)
    const direction = server > here ? 'ahead of' : 'behind'
    found.push(warning('clock', `The clock of PostgreSQL is ${seconds} s ${direction} this one: set both by NTP.`))
  }
  return orOk(found, 'clock', `The clock says ${time}.`)
}
