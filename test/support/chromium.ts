import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'

export interface Chromium {
  executablePath: string
  env: Record<string, string>
}

export const howToInstall =
  'no Chromium was found: install one (Debian and Ubuntu: apt-get install chromium-headless-shell, or chromium), ' +
  'or set PETSTORE_TEST_CHROMIUM to the path of one'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const cache = fileURLToPath(new URL('../../node_modules/.cache/petstore-test/', import.meta.url))
const installed = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome']

/**
 * A Chromium that runs here: the one that PETSTORE_TEST_CHROMIUM names, the one that npm brought (x64), one that is
 * installed, or Debian's, fetched without being installed. Each is tried before it is taken.
 */
export function findChromium(): Chromium | undefined {
  const named = process.env['PETSTORE_TEST_CHROMIUM']
  if (named !== undefined) return tried(named)
  return fromNpm() ?? fromPath() ?? fromDebian()
}

export function launch({ executablePath, env }: Chromium): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags, env: { ...process.env, ...env } })
}

function tried(executablePath: string, ...environments: Record<string, string>[]): Chromium | undefined {
  const isRunning = (env: Record<string, string>) =>
    spawnSync(executablePath, ['--version', '--no-sandbox'], { env: { ...process.env, ...env }, timeout: 20_000 })
      .status === 0
  const env = [{}, ...environments].find(isRunning)
  return env === undefined ? undefined : { executablePath, env }
}

function fromNpm(): Chromium | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const require = createRequire(import.meta.url)
  const packed = join(dirname(require.resolve('@sparticuz/chromium')), '../bin')
  const { version } = JSON.parse(readFileSync(join(packed, '../package.json'), 'utf8')) as { version: string }
  const folder = unpackOnce(`chromium-${version}`, (into) => {
    writeFileSync(join(into, 'chromium'), brotliDecompressSync(readFileSync(join(packed, 'chromium.br'))), {
      mode: 0o755,
    })
    for (const name of ['al2023', 'fonts']) {
      const input = brotliDecompressSync(readFileSync(join(packed, `${name}.tar.br`)))
      mustRun('tar', ['-xf', '-', '-C', into], input)
    }
  })
  // A bare machine lacks some libraries, and fonts; the package has both.
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: folder }
  const found = tried(join(folder, 'chromium'), { LD_LIBRARY_PATH: join(folder, 'lib') })
  return found && { ...found, env: { ...found.env, ...fonts } }
}

function fromPath(): Chromium | undefined {
  for (const name of installed) {
    const path = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    const found = path === '' ? undefined : tried(path)
    if (found !== undefined) return found
  }
  return undefined
}

/** On Debian and its kin: the package and the libraries that are missing, unpacked beside our own packages. */
function fromDebian(): Chromium | undefined {
  if (spawnSync('apt-get', ['--version']).status !== 0) return undefined
  try {
    const folder = unpackOnce('chromium-debian', (into) => {
      const wanted = 'chromium-headless-shell'
      const simulated = spawnSync('apt-get', ['install', '--simulate', '--no-install-recommends', wanted], {
        encoding: 'utf8',
      })
      const names = [...(simulated.stdout ?? '').matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
      mustRun('apt-get', ['download', ...(names.length === 0 ? [wanted] : names)], undefined, into)
      for (const file of globSync('*.deb', { cwd: into })) {
        mustRun('dpkg', ['-x', file, '.'], undefined, into)
        rmSync(join(into, file))
      }
    })
    const libraries = globSync('usr/lib/*-linux-gnu', { cwd: folder }).map((path) => join(folder, path))
    return tried(join(folder, 'usr/lib/chromium/chromium-headless-shell'), { LD_LIBRARY_PATH: libraries.join(':') })
  } catch {
    return undefined
  }
}

/** Fills a folder of the cache, once: whoever is second to finish, of several processes, throws its own away. */
function unpackOnce(name: string, fill: (into: string) => void): string {
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

function mustRun(command: string, args: string[], input?: Buffer, cwd?: string): void {
  const { status, stderr } = spawnSync(command, args, { input, cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
}
