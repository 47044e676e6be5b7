import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Failure } from './failure.ts'

/** The environment, completed from a `.env` file in the working folder. Variables that are already set win. */
export function readEnvironment(): NodeJS.ProcessEnv {
  // Sets process.env, where OpenTelemetry's exporter reads its variables.
  for (const [name, value] of Object.entries(parseEnv(readText('.env')))) process.env[name] ??= value
  return process.env
}

/**
 * Empty if there is no such file. Without the byte order mark that editors on Windows add: it would be part of the first
 * name.
 */
function readText(path: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return decoder.decode(readFileSync(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    if (code === 'EISDIR') throw new Failure(`${path} is a folder: it must be a file with settings.`)
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new Failure(`The file ${path} must be text in UTF-8.`)
    throw new Failure(`The file ${path} cannot be read (${code}).`)
  }
}
