import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

// Outside of node_modules, which `npm ci` deletes: a Chromium is a download of 100 MB.
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'petstore-tests')

/** Fills a folder of the cache once. If several processes do it, the first to finish wins. */
export function unpackOnce(name: string, fill: (into: string) => void): string {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'unpacking-'))
  try {
    fill(fresh)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/**
 * The folder of an npm package that is not a dependency, fetched once. Undefined if it cannot be fetched, and outside
 * of `npm run test:runtimes`: other tests download nothing.
 */
export function npmPackage(name: string, version: string): string | undefined {
  if (process.env['PETSTORE_TEST_RUNTIMES'] === undefined) return undefined
  try {
    return fetchPackage(name, version, 30_000)
  } catch {
    return undefined
  }
}

/** The node_modules with an npm package, fetched once. A slow network must not use up the test's time. */
export function fetchPackage(name: string, version: string, timeout: number): string {
  const folder = unpackOnce(`${name}-${version}`, (into) => {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0']
    mustRun('npm', ['install', '--prefix', into, ...options, `${name}@${version}`], { timeout })
  })
  return join(folder, 'node_modules')
}

/**
 * A copy of a folder's package.json with its packages, installed once for each lock file, without install scripts.
 * Undefined if npm cannot get them, where CI would fail.
 */
export function installOnce(source: string): string | undefined {
  const lock = readFileSync(join(source, 'package-lock.json'))
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  try {
    return unpackOnce(`${basename(source)}-${version}`, (into) => {
      for (const file of ['package.json', 'package-lock.json']) cpSync(join(source, file), join(into, file))
      const args = ['ci', '--prefix', into, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
      mustRun('npm', args, { timeout: 240_000 })
    })
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error
    return undefined
  }
}

export function mustRun(command: string, args: string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${stderr ?? String(error)}`)
  return stdout
}
