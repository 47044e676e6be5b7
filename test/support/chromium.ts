import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type Browser, type BrowserServer, chromium } from 'playwright-core'
import { installOnce, mustRun, unpackOnce } from './cache.ts'

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
const installed = [
  debianPackage,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

interface Candidate {
  executablePath: string
  /** Folders with libraries that the machine may lack. */
  libraries?: readonly string[]
}

/**
 * Starts Chromium: the one of PETSTORE_TEST_CHROMIUM, otherwise the first that works of the one from npm (x64),
 * installed ones, and Debian's, downloaded without installation. Undefined if there is none. A 'server' accepts
 * connections of several processes.
 */
export async function startChromium(as: 'browser'): Promise<Browser | undefined>
export async function startChromium(as: 'server'): Promise<BrowserServer | undefined>
export async function startChromium(as: 'browser' | 'server'): Promise<Browser | BrowserServer | undefined> {
  const named = process.env['PETSTORE_TEST_CHROMIUM']
  const ways: (() => Candidate[])[] =
    named === undefined ? [fromNpm, fromPath, fromDebian] : [() => [{ executablePath: named }]]
  for (const way of ways) {
    for (const { executablePath, libraries } of attempt(way) ?? []) {
      // Downloaded libraries only if those of the machine do not work.
      const environments = [{}, ...(libraries === undefined ? [] : [{ LD_LIBRARY_PATH: libraries.join(':') }])]
      for (const env of environments) {
        const options = { executablePath, args: flags, env: { ...process.env, ...env, ...attempt(fonts) } }
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
    const executablePath = spawnSync('sh', ['-c', `command -v '${name}'`], { encoding: 'utf8' }).stdout?.trim()
    return executablePath === undefined || executablePath === '' ? [] : [{ executablePath }]
  })
}

/** On Debian and its derivatives: the package and its missing libraries, unpacked beside our own packages. */
function fromDebian(): Candidate[] {
  const folder = unpackOnce('chromium-debian', (into) => {
    // Uses its own package lists: those of the machine may be missing or old and must not change.
    const apt = ['-o', `Dir::State::lists=${into}/apt/lists`, '-o', `Dir::Cache=${into}/apt/cache`]
    for (const name of ['lists', 'cache/archives']) mkdirSync(join(into, 'apt', name, 'partial'), { recursive: true })
    mustRun('apt-get', [...apt, 'update'])
    const plan = mustRun('apt-get', [...apt, 'install', '--simulate', '--no-install-recommends', debianPackage])
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
    // Its data files are in a separate package.
    const wanted = new Set([...missing, debianPackage, 'chromium-common'])
    mustRun('apt-get', [...apt, 'download', ...wanted], { cwd: into })
    for (const file of globSync('*.deb', { cwd: into })) {
      mustRun('dpkg', ['-x', file, '.'], { cwd: into })
      rmSync(join(into, file))
    }
    rmSync(join(into, 'apt'), { recursive: true })
  })
  // Some libraries have their own folders, such as pulseaudio's.
  const libraries = globSync('usr/lib/*-linux-gnu{,/*/}', { cwd: folder }).map((path) => join(folder, path))
  return [{ executablePath: join(folder, 'usr/lib/chromium/chromium-headless-shell'), libraries }]
}

/** Without fonts Chromium draws nothing, so a machine without fonts uses those of the package. */
function fonts(): Record<string, string> {
  if (process.platform !== 'linux' || existsSync('/etc/fonts/fonts.conf')) return {}
  const { folder: packed, version } = npmPackage()
  const folder = unpackOnce(`fonts-${version}`, (into) => unpackTar(join(packed, 'fonts.tar.br'), into))
  const config = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`
  writeFileSync(join(folder, 'fonts.conf'), config)
  return { FONTCONFIG_PATH: folder }
}

/** It is in a package of its own, because it is as large as a third of all others. Installed by the first call. */
function npmPackage(): { folder: string; version: string } {
  const installed = installOnce(join(import.meta.dirname, '../chromium'))
  if (installed === undefined) throw new Error('The packages of test/chromium cannot be fetched.')
  const folder = join(installed, 'node_modules/@sparticuz/chromium/bin')
  const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string }
  return { folder, version }
}

function unpackTar(file: string, into: string): void {
  mustRun('tar', ['-xf', '-', '-C', into], { input: brotliDecompressSync(readFileSync(file)) })
}

/** Undefined if the work throws. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
