import { fstatSync, write as writeToFile } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A place for lines in which nothing ever waits for whoever reads them. */
export interface LineOutput {
  /** Takes whole lines, or drops them while the reader is too far behind. */
  write(lines: string): void
  /** Resolves when everything is written, at the latest after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
}

export interface StderrOptions {
  /** How much may wait in memory for a pipe that is full, or for a terminal that was paused. */
  maxWaitingBytes?: number
  /** The line that tells how many lines were dropped, once lines are taken again. */
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
  // Whoever read it may be gone: then there is nobody left to write for.
  stderr.on('error', () => undefined)
  // Node makes terminals block: the service would stand still while somebody scrolls back.
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

// Node's own stream for a file blocks, and gives up for good at the first error, such as a full disk.
function fileTarget(): Target {
  let waiting = ''
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    while (waiting !== '') {
      const bytes = Buffer.from(waiting)
      waiting = ''
      // What the disk does not take is lost; what follows is tried again.
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
