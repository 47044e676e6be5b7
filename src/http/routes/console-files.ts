import { globSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type StaticFile, staticFile } from '../replies/static-file.ts'

/** One file of the console, and the path that it is served at. */
export interface ConsoleFile {
  path: string
  file: StaticFile
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const folder = fileURLToPath(new URL('../../../console/', import.meta.url))

/** Every file of console/, and Preact, which comes from its package. */
export function readConsole(): ConsoleFile[] {
  const names = globSync('**/*.{html,css,js,svg}', { cwd: folder }).map((name) => name.replaceAll('\\', '/'))
  return [
    ...names.map((name) => fileOf(name === 'index.html' ? '/' : `/console/${name}`, folder + name)),
    fileOf('/console/preact.js', fileURLToPath(import.meta.resolve('htm/preact/standalone')), '.js'),
  ]
}

function fileOf(path: string, file: string, extension = extname(file)): ConsoleFile {
  return { path, file: staticFile(types[extension] as string, readFileSync(file)) }
}
