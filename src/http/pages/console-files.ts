import { extname } from 'node:path'
import { etagOf } from '../replies/etag.ts'
import { type StaticFile, staticFile } from '../replies/static-file.ts'
import type { ConsoleBuild } from './console-thread.ts'
import { runThread } from './run-thread.ts'

export interface ConsoleFiles {
  version: string
  page: StaticFile
  /** By their names. */
  files: ReadonlyMap<string, StaticFile>
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

let loading: Promise<ConsoleFiles> | undefined

/** Created on first use, then cached: a service whose console is never opened does not pay for it. */
export function loadConsole(): Promise<ConsoleFiles> {
  return (loading ??= makeConsole().catch((error: Error) => {
    loading = undefined
    throw error
  }))
}

async function makeConsole(): Promise<ConsoleFiles> {
  const options = { execArgv: ['--disable-warning=ExperimentalWarning'] }
  const thread = new URL('./console-thread.ts', import.meta.url)
  const { version, page, files } = await runThread<ConsoleBuild>(thread, options)
  return {
    version,
    page: staticFile('text/html; charset=utf-8', page),
    files: new Map(files.map((file) => [file.name, fileOf(file)])),
  }
}

function fileOf({ name, plain, gzipped }: ConsoleBuild['files'][number]): StaticFile {
  const buffer = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength)
  const type = types[extname(name)] ?? 'application/octet-stream'
  return { type, plain: buffer, gzipped: Buffer.from(gzipped), etag: etagOf(buffer.toString('latin1')) }
}
