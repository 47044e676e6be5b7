import { fstatSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { isatty } from 'node:tty'
import { droppedLine } from './log.ts'
import { openStderr } from './stderr.ts'

/**
 * Where a worker writes its log. Several processes that write to one pipe or socket tear each other's lines as soon as
 * it is full, so this process reads the lines of each worker and writes them alone. A write to a file is never torn.
 */
export function workerStderr(): 'inherit' | 'pipe' {
  return isatty(2) || fstatSync(2).isFile() ? 'inherit' : 'pipe'
}

/** Copies what workers write to the standard error of this process, in whole lines. */
export function openWorkerLog(): { copy(from: Readable | null): void; flush(timeoutMs: number): Promise<void> } {
  const { write, flush } = openStderr({ droppedLine })
  return {
    flush,
    copy(from) {
      let rest = ''
      from?.setEncoding('utf8')
      from?.on('data', (text: string) => {
        const end = text.lastIndexOf('\n') + 1
        if (end > 0) write(rest + text.slice(0, end))
        rest = end > 0 ? text.slice(end) : rest + text
      })
      // A worker that was killed may leave half a line.
      from?.once('end', () => rest !== '' && write(`${rest}\n`))
    },
  }
}
