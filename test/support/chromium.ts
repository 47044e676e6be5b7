import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type Browser, type BrowserServer, chromium } from 'playwright-core'
import { mustRun, unpackOnce } from './cache.ts'

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
const debianPackage = 'chromium-headless-shell'
const installed = [debianPackage, 'chromium', 'chromium-browser', 'google-chrome', 'chrome']

interface Candidate {
  executablePath: string
  /** Folders with libraries that the machine may lack. */
  libraries?: readonly string[]
}

/**
 * A running Chromium: the one that PETSTORE_TEST_CHROMIUM names, or the first that starts of the one that npm brought (x64),
 * those that are installed, and Debian's, fetched without being installed. Undefined where there is none.
 * A 'server' is for several processes, which connect to it.
 */
export async function startChromium(as: 'browser'): Promise<Browser | undefined>
export async function startChromium(as: 'server'): Promise<BrowserServer | undefined>
export async function startChromium(as: 'browser' | 'server'): Promise<Browser | BrowserServer | undefined> {
  const named = process.env['PETSTORE_TEST_CHROMIUM']
  const ways: (() => Candidate[])[] =
    named === undefined ? [fromNpm, fromPath, fromDebian] : [() => [{ executablePath: named }]]
  for (const way of ways) {
    for (const { executablePath, libraries } of attempt(way) ?? []) {
      // Libraries from elsewhere only where those of the machine do not do.
      const environments = [{}, ...(libraries === undefined ? [] : [{ LD_LIBRARY_PATH: libraries.join(':') }])]
      for (const env of environments) {
        const options = { executablePath, args: flags, env: { ...process.env, ...env, ...fonts() } }
        const launched = as === 'browser' ? chromium.launch(options) : chromium.launchServer(options)
        const started = await launched.catch(() => undefined)
        if (started !== undefined) return started
      }
    }
  }
  return undefined
}

function fromNpm(): Candidate[] {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const { folder: packed, version } = npmPackage()
  const folder = unpackOnce(`chromium-${version}`, (into) => {
    const program = brotliDecompressSync(readFileSync(join(packed, 'chromium.br')))
    writeFileSync(join(into, 'chromium'), program, { mode: 0o755 })
    unpackTar(join(packed, 'al2023.tar.br'), into)
  })
  return [{ executablePath: join(folder, 'chromium'), libraries: [join(folder, 'lib')] }]
}

function fromPath(): Candidate[] {
  return installed.flatMap((name) => {
    const executablePath = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout?.trim()
    return executablePath === undefined || executablePath === '' ? [] : [{ executablePath }]
  })
}

/** On Debian and its kin: the package and the libraries that are missing, unpacked beside our own packages. */
function fromDebian(): Candidate[] {
  const folder = unpackOnce('chromium-debian', (into) => {
    // Lists of its own: those of the machine may be missing or old, and are not ours to change.
    const apt = ['-o', `Dir::State::lists=${into}/apt/lists`, '-o', `Dir::Cache=${into}/apt/cache`]
    for (const name of ['lists', 'cache/archives']) mkdirSync(join(into, 'apt', name, 'partial'), { recursive: true })
    mustRun('apt-get', [...apt, 'update'])
    const plan = mustRun('apt-get', [...apt, 'install', '--simulate', '--no-install-recommends', debianPackage])
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
    // What it needs beside it is in a package of its own, which may be installed elsewhere.
    const wanted = new Set([...missing, debianPackage, 'chromium-common'])
    mustRun('apt-get', [...apt, 'download', ...wanted], { cwd: into })
    for (const file of globSync('*.deb', { cwd: into })) {
      mustRun('dpkg', ['-x', file, '.'], { cwd: into })
      rmSync(join(into, file))
    }
    rmSync(join(into, 'apt'), { recursive: true })
  })
  // Some libraries stand in folders of their own, such as pulseaudio's.
  const libraries = globSync('usr/lib/*-linux-gnu{,/*/}', { cwd: folder }).map((path) => join(folder, path))
  return [{ executablePath: join(folder, 'usr/lib/chromium/chromium-headless-shell'), libraries }]
}

/** A machine without fonts gets those of the package: without any, Chromium draws nothing. */
function fonts(): Record<string, string> {
  if (process.platform !== 'linux' || existsSync('/etc/fonts/fonts.conf')) return {}
  const { folder: packed, version } = npmPackage()
  const folder = unpackOnce(`fonts-${version}`, (into) => unpackTar(join(packed, 'fonts.tar.br'), into))
  const config = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`
  writeFileSync(join(folder, 'fonts.conf'), config)
  return { FONTCONFIG_PATH: folder }
}

function npmPackage(): { folder: string; version: string } {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string }
  return { folder, version }
}

function unpackTar(file: string, into: string): void {
  mustRun('tar', ['-xf', '-', '-C', into], { input: brotliDecompressSync(readFileSync(file)) })
}

/** A way that does not work here, for whatever reason, is none. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
