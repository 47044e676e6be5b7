import { join } from 'node:path'
import { installOnce } from './cache.ts'

const source = join(import.meta.dirname, '../tools')
let packages: string | undefined

export const skipWithoutTools = 'NOT TESTED: the packages of test/tools cannot be fetched'

/** The packages of test/tools, which read our documents; undefined if npm cannot get them. The first call installs them. */
export function findTools(): string | undefined {
  const folder = packages === undefined ? installOnce(source) : undefined
  if (folder !== undefined) packages = join(folder, 'node_modules')
  return packages
}

/** The path of a file of a tool. */
export function toolFile(path: string): string {
  const found = findTools()
  if (found === undefined) throw new Error('The packages of test/tools cannot be fetched.')
  return join(found, path)
}
