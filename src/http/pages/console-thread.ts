// A thread that makes the files of the console and ends: the parser of TypeScript, 50 MB, goes with it.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { joinModules } from './join-modules.ts'

/** What the thread posts. */
export interface ConsoleBuild {
  /** Changes with every file. */
  version: string
  page: string
  files: { name: string; plain: Uint8Array; gzipped: Uint8Array }[]
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const styles = ['theme', 'base', 'shell', 'components', 'views']

// It does nothing unless it is loaded as a thread.
parentPort?.postMessage(buildConsole())

function buildConsole(): ConsoleBuild {
  const files = Object.entries({
    'main.js': joinModules('console/main.ts', readModules()),
    'before-paint.js': stripTypeScriptTypes(read('console/before-paint.ts')),
    'style.css': styles.map((style) => read(`console/style/${style}.css`)).join('\n'),
    'icon.svg': read('console/icon.svg'),
  })
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16)
  return {
    version,
    // Every address gets the version, so that a browser may keep a file for ever.
    page: read('console/index.html').replaceAll(/(href|src)="console\//g, `$&${version}/`),
    files: files.map(([name, text]) => ({ name, plain: Buffer.from(text), gzipped: gzipSync(text) })),
  }
}

/** The texts of all modules by their paths, as JavaScript. */
function readModules(): ReadonlyMap<string, string> {
  const names = globSync(['console/**/*.ts', 'client/src/*.ts'], { cwd: root, exclude: ['**/*.d.ts'] })
  const modules = names.map((name): [string, string] => [name.replaceAll('\\', '/'), stripTypeScriptTypes(read(name))])
  const preact = readFileSync(fileURLToPath(import.meta.resolve('htm/preact/standalone')), 'utf8')
  return new Map([...modules, ['console/preact.js', preact]])
}

function read(name: string): string {
  return readFileSync(root + name, 'utf8')
}
