import { type Config, readConfig } from '../shared/config.ts'
import { Failure } from '../shared/failure.ts'
import { unknownSettings } from '../shared/unknown-settings.ts'
import { type Finding, orOk, problem, warning } from './finding.ts'

/** Settings that mean nothing without another one. */
const needs: Record<string, string> = {
  PETSTORE_BACKUP_EVERY: 'PETSTORE_BACKUP_FOLDER',
  PETSTORE_BACKUP_KEEP: 'PETSTORE_BACKUP_FOLDER',
}

/** Without a configuration if a setting is invalid or contradicts another: then nothing else can be checked. */
export function checkSettings(read: () => NodeJS.ProcessEnv): { config?: Config; found: Finding[] } {
  let warnings: Finding[] = []
  try {
    const environment = read()
    const sentences = [...unknownSettings(environment), ...withoutEffect(environment)]
    warnings = sentences.map((sentence) => warning('settings', sentence))
    return { config: readConfig(environment), found: orOk(warnings, 'settings', 'All settings are valid.') }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { found: [problem('settings', error.message), ...warnings] }
  }
}

function withoutEffect(environment: NodeJS.ProcessEnv): string[] {
  const isSet = (name: string) => (environment[name] ?? '') !== ''
  return Object.entries(needs)
    .filter(([name, needed]) => isSet(name) && !isSet(needed))
    .map(([name, needed]) => `${name} has no effect without ${needed}.`)
}
