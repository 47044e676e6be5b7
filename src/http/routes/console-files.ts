import { globSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { etagOf } from '../replies/etag.ts'

/** One file of the console, as it is served. */
export interface ConsoleFile {
  path: string
  type: string
  body: Buffer
  etag: string
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const folder = fileURLToPath(new URL('../../../console/', import.meta.url))

/** Every file of console/, under the path that it is served at, and Preact, which comes from its package. */
export function readConsole(): ConsoleFile[] {
  const names = globSync('**/*.{html,css,js,svg}', { cwd: folder }).map((name) => name.replaceAll('\\', '/'))
  return [
    ...names.map((name) => fileOf(name === 'index.html' ? '/' : `/console/${name}`, folder + name)),
    fileOf('/console/preact.js', fileURLToPath(import.meta.resolve('htm/preact/standalone')), '.js'),
  ]
}

function fileOf(path: string, file: string, extension = extname(file)): ConsoleFile {
  const body = readFileSync(file)
  return { path, type: types[extension] as string, body, etag: etagOf(body.toString()) }
}
