import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Failure } from '../shared/failure.ts'

/** An input that is read once, from start to end. */
export interface Input {
  readonly chunks: Readable & AsyncIterable<Buffer>
  /** Undefined if the input is not a regular file: it can be read only once, and its size is unknown. */
  readonly file: FileFacts | undefined
  close(): Promise<void>
}

export interface FileFacts {
  path: string
  /** In bytes. */
  size: number
  /** SHA-256 of the content: equal for a copy, different after any change. */
  digest: string
}

/** Larger chunks hold more rows in memory and are no faster. */
const chunkBytes = 16 * 1024

/** Opens a file, or standard input for `-`. A named pipe is read like standard input. */
export async function openInput(path: string): Promise<Input> {
  if (path === '-') return { chunks: process.stdin, file: undefined, async close() {} }
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Failure(`There is no file ${path}.`)
      : new Failure(`The file ${path} cannot be read (${error.code}).`)
  })
  const stats = await handle.stat()
  if (stats.isDirectory()) {
    await handle.close()
    throw new Failure(`${path} is a folder: name a file in it.`)
  }
  const file = stats.isFile() ? { path, size: stats.size, digest: await digestOf(handle) } : undefined
  return {
    chunks: handle.createReadStream({ highWaterMark: chunkBytes, autoClose: false, ...(file && { start: 0 }) }),
    file,
    async close() {
      const closed = handle.close()
      // A pipe that is not at its end closes when its writer does.
      if (file !== undefined) await closed
    },
  }
}

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
