import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole, type BuiltConsole } from './build-console.ts'
import { loopSteps } from '../../inventory/loop-steps.ts'
import { guidePages } from '../replies/guide-pages.ts'

/** The console as browsers load it. */
export interface ConsoleBundle extends BuiltConsole {
  /** The digest of what it was made from. The first member. */
  sources: string
}

/** The folder of this program. */
export const projectFolder = fileURLToPath(new URL('../../../', import.meta.url))
const bundleFile = 'console/dist/bundle.json'

/** The bundle on the disk, undefined if there is none. */
export async function readBundle(folder: string): Promise<ConsoleBundle | undefined> {
  const file = join(folder, bundleFile)
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as ConsoleBundle) : undefined
}

/**
 * What the bundle on the disk was made from; undefined if there is none or if it is damaged. Every start asks for it, so
 * it reads the first and the last bytes only: the whole takes twelve megabytes of memory.
 */
async function sourcesOfBundle(folder: string): Promise<string | undefined> {
  const file = join(folder, bundleFile)
  if (!existsSync(file)) return undefined
  await using bundle = await open(file)
  const { size } = await bundle.stat()
  const start = Buffer.alloc(100)
  const end = Buffer.alloc(1)
  await bundle.read(start, { position: 0 })
  await bundle.read(end, { position: Math.max(0, size - 1) })
  return end.toString() === '}' ? /^\{"sources":"(\w+)",/.exec(start.toString())?.[1] : undefined
}

export interface BundleNotice {
  /** For the person who started the program. */
  sentence: string
  /** Whether the console is served as its sources are now. */
  isCurrent: boolean
}

export const howToBundle = 'Run "npm ci", or "npm run console" if esbuild is installed.'

/**
 * Bundles the console if that was not done, or if its sources have changed since. Returns what there is to say about
 * it. Never rejects: the API needs no page.
 */
export async function renewBundle(folder = projectFolder, build = buildConsole): Promise<BundleNotice | undefined> {
  let problem = 'The console is not bundled'
  try {
    // A damaged bundle is made again.
    const bundled = await sourcesOfBundle(folder)
    const sources = await digestOfSources(folder)
    // Without sources, as in the image, there is nothing to compare with.
    if (bundled !== undefined && (sources === undefined || sources === bundled)) return undefined
    if (bundled !== undefined) problem = 'The console has changed since it was bundled'
    if (sources === undefined) return { sentence: `${problem}. ${howToBundle}`, isCurrent: false }
    await writeBundle(folder, { sources, ...(await build(folder)) })
    return { sentence: `${problem}: it is bundled now.`, isCurrent: true }
  } catch (error) {
    const reason = (error as Error).message.replace(/[.]?\s*$/, '.')
    return { sentence: `${problem}, and bundling it failed. ${howToBundle} ${reason}`, isCurrent: false }
  }
}

/** Readers see the bundle before or the new one, never a part. */
async function writeBundle(folder: string, bundle: ConsoleBundle): Promise<void> {
  const file = join(folder, bundleFile)
  const unfinished = `${file}.${process.pid}`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(unfinished, JSON.stringify(bundle))
  await rename(unfinished, file)
}

/** What the pages of the guides are made by. */
const guideBuilders = ['src/http/pages/build-guides.ts', 'src/http/replies/guide-pages.ts']

/**
 * Changes with every source, and with the versions of the packages that go into the bundle. Undefined without sources.
 * Every start makes it: it reads without promises and patterns, which would take five times as long, and in steps of the
 * event loop, because requests are answered by then.
 */
async function digestOfSources(folder: string): Promise<string | undefined> {
  const names = ['console', 'client/src', 'src/contract', 'src/transfer/formats'].flatMap((part) =>
    namesIn(folder, part),
  )
  if (!names.includes('console/index.html')) return undefined
  const ofGuides = [...guideBuilders, ...guidePages.map(({ source }) => `docs/${source}`)]
  names.push(...ofGuides.filter((name) => existsSync(join(folder, name))))
  const read = (name: string) => readFileSync(join(folder, name))
  const { dependencies } = JSON.parse(read('package.json').toString()) as { dependencies: Record<string, string> }
  const { esbuild, marked, preact } = dependencies
  const digest = createHash('sha256').update(JSON.stringify({ esbuild, marked, preact }))
  const steps = loopSteps()
  for (const name of names.toSorted()) {
    const bytes = read(name)
    digest.update(JSON.stringify([name, bytes.length])).update(bytes)
    if (steps.isOver()) await steps.next()
  }
  return digest.digest('hex')
}

function namesIn(folder: string, part: string): string[] {
  if (!existsSync(join(folder, part))) return []
  const names = readdirSync(join(folder, part), { encoding: 'utf8', recursive: part === 'console' })
  return names
    .filter((name) => /\.(tsx?|css|html|svg)$/.test(name))
    .map((name) => `${part}/${name.replaceAll('\\', '/')}`)
}
