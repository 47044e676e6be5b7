import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { etagOf } from '../replies/etag.ts'
import { type StaticFile, staticFile } from '../replies/static-file.ts'
import { projectFolder, readBundle } from './console-bundle.ts'

export interface ConsoleFiles {
  page: StaticFile
  sandboxPage: StaticFile
  /** By their names, such as `main-3XQ5ZKPL.js`. */
  files: ReadonlyMap<string, StaticFile>
  /** By their addresses. */
  guides: ReadonlyMap<string, StaticFile>
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

let loading: Promise<ConsoleFiles | undefined> | undefined

/** Loaded on first use, then cached. Undefined if the console is not bundled. */
export function loadConsole(): Promise<ConsoleFiles | undefined> {
  return (loading ??= readConsole(projectFolder).then(
    (files) => {
      // It may be bundled later.
      if (files === undefined) loading = undefined
      return files
    },
    (error: Error) => {
      loading = undefined
      throw error
    },
  ))
}

async function readConsole(folder: string): Promise<ConsoleFiles | undefined> {
  const bundle = await readBundle(folder)
  if (bundle === undefined) return undefined
  const files = Object.entries(bundle.files).map(async ([name, text]) => [name, await compressed(name, text)] as const)
  const html = 'text/html; charset=utf-8'
  return {
    page: staticFile(html, bundle.page),
    sandboxPage: staticFile(html, bundle.sandboxPage),
    files: new Map(await Promise.all(files)),
    guides: new Map(Object.entries(bundle.guides).map(([path, text]) => [path, staticFile(html, text)])),
  }
}

/** Compressed by a thread of Node: the source map would block the event loop. */
async function compressed(name: string, text: string): Promise<StaticFile> {
  const plain = Buffer.from(text)
  const type = types[extname(name)] ?? 'application/octet-stream'
  return { type, plain, gzipped: await promisify(gzip)(plain, { level: 9 }), etag: etagOf(plain.toString('latin1')) }
}

/** A file by its name. Also the own file of another version's name, whose hash differs. */
export function findFile({ files }: ConsoleFiles, name: string): { file: StaticFile; isExact: boolean } | undefined {
  const exact = files.get(name)
  if (exact !== undefined) return { file: exact, isExact: true }
  const own = [...files.keys()].find((one) => withoutHash(one) === withoutHash(name))
  const file = own === undefined ? undefined : files.get(own)
  return file === undefined ? undefined : { file, isExact: false }
}

function withoutHash(name: string): string {
  return name.replace(/-[A-Z0-9]{8}(?=[.])/, '')
}
