// A thread that makes the files of the console and ends: the parser of TypeScript, 50 MB, goes with it.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'

/** What the thread posts. Names are paths below the root of the repository, which the browser sees as they are. */
export interface ConsoleBuild {
  /** Changes with every file. */
  version: string
  page: string
  files: { name: string; plain: Uint8Array; gzipped: Uint8Array }[]
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const styles = ['theme', 'base', 'shell', 'components', 'views']

// Loaded otherwise than as a thread, it does nothing.
parentPort?.postMessage(buildConsole())

function buildConsole(): ConsoleBuild {
  const files = readFiles()
  const version = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex')
    .slice(0, 16)
  return {
    version,
    page: pageOf(read('console/index.html'), version, files),
    files: [...files].map(([name, text]) => ({ name, plain: Buffer.from(text), gzipped: gzipSync(text) })),
  }
}

/** The texts of all files by their names. */
function readFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const name of globSync(['console/**/*.ts', 'client/src/*.ts'], { cwd: root, exclude: ['**/*.d.ts'] })) {
    files.set(name.replaceAll('\\', '/'), stripTypeScriptTypes(read(name)))
  }
  files.set('console/preact.js', readFileSync(fileURLToPath(import.meta.resolve('htm/preact/standalone')), 'utf8'))
  files.set('console/icon.svg', read('console/icon.svg'))
  files.set('console/style.css', styles.map((style) => read(`console/style/${style}.css`)).join('\n'))
  return files
}

function read(name: string): string {
  return readFileSync(root + name, 'utf8')
}

/** Every address gets the version, so that a browser may keep a file for ever. Modules are named, nearest first. */
function pageOf(template: string, version: string, files: ReadonlyMap<string, string>): string {
  const modules = modulesFrom('console/main.ts', files)
  const preloads = modules.map((name) => `<link rel="modulepreload" fetchpriority="low" href="${name}">`)
  return template
    .replace('<!-- modules -->', preloads.join('\n    '))
    .replaceAll(/(href|src)="((?:console|client)\/)/g, `$1="console/${version}/$2`)
}

function modulesFrom(start: string, files: ReadonlyMap<string, string>): string[] {
  const found = new Set([start])
  for (const name of found) {
    for (const [, target = ''] of (files.get(name) ?? '').matchAll(/^(?:import|export)\s[^'"]*?from\s+'(\.[^']+)'/gm)) {
      found.add(join(dirname(name), target))
    }
  }
  return [...found]
}
