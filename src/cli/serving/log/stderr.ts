import { fstatSync, write as writeToFile } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** An output for lines that never blocks on its reader. */
export interface LineOutput {
  /** Writes complete lines, or drops them while the reader is too slow. */
  write(lines: string): void
  /** Resolves when everything is written, at the latest after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
}

export interface StderrOptions {
  /** The limit for bytes that wait for a full pipe or a paused terminal. */
  maxWaitingBytes?: number
  /** Makes the line that reports the number of dropped lines. */
  droppedLine: (count: number) => string
}

const descriptor = 2

export function openStderr({ maxWaitingBytes = 8 * 1024 * 1024, droppedLine }: StderrOptions): LineOutput {
  const { send, waitingBytes, flush } = fstatSync(descriptor).isFile() ? fileTarget() : streamTarget()
  let dropped = 0
  return {
    flush,
    write(lines) {
      if (waitingBytes() > maxWaitingBytes) {
        dropped += lines.split('\n').length - 1
        return
      }
      send(dropped === 0 ? lines : droppedLine(dropped) + lines)
      dropped = 0
    },
  }
}

interface Target extends Pick<LineOutput, 'flush'> {
  send(text: string): void
  waitingBytes(): number
}

function streamTarget(): Target {
  const { stderr } = process
  // The reader may have gone.
  stderr.on('error', () => undefined)
  // Node writes to terminals synchronously: the service would stop while somebody scrolls back.
  const { _handle: handle } = stderr as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  if (stderr.isTTY) handle?.setBlocking?.(false)
  return {
    send: (text) => void stderr.write(text),
    waitingBytes: () => stderr.writableLength,
    async flush(timeoutMs) {
      if (stderr.destroyed || stderr.writableLength === 0) return
      await Promise.race([new Promise((resolve) => stderr.write('', resolve)), sleep(timeoutMs)])
    },
  }
}

// Node's own file stream is synchronous and stops for good at the first error, such as a full disk.
function fileTarget(): Target {
  let waiting = ''
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    while (waiting !== '') {
      const bytes = Buffer.from(waiting)
      waiting = ''
      // Lines that cannot be written are lost; later ones are tried again.
      await new Promise((resolve) => writeToFile(descriptor, bytes, resolve))
    }
    writing = undefined
  }

  return {
    send(text) {
      waiting += text
      writing ??= writeAll()
    },
    waitingBytes: () => waiting.length,
    flush: (timeoutMs) => Promise.race([writing, sleep(timeoutMs)]),
  }
}
