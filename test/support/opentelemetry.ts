import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installOnce } from './cache.ts'

const source = join(import.meta.dirname, '../opentelemetry')

export const skipWithoutOpenTelemetry = 'NOT TESTED: the packages of test/opentelemetry cannot be fetched'

/** The folder with the packages of test/opentelemetry; undefined if npm cannot get them. The first call installs them. */
export const findOpenTelemetry = (): string | undefined => installOnce(source)

/** A process that imports this module has these packages. */
export function moduleWith(folder: string): string {
  const url = pathToFileURL(join(source, 'as-installed.ts'))
  url.searchParams.set('from', `${pathToFileURL(folder).href}/`)
  return url.href
}
