import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/** A port of this machine. */
export interface Target {
  port: number
  isSecure: boolean
}

export interface Connection {
  /** One request at a time: the next one after the answer. */
  send(request: Uint8Array): void
  close(): void
}

export interface Listener {
  opened(): void
  answered(status: number): void
  /** The other side hung up, or what came is not an answer. Nothing follows. */
  failed(reason: string): void
}

/**
 * A keep-alive connection that knows of HTTP just enough to tell the end of an answer. Node's own client costs several
 * times as much, and a load that is dearer than the server would measure itself.
 */
export function openConnection({ port, isSecure }: Target, listener: Listener): Connection {
  const read = answerReader(listener.answered)
  let over = false

  function fail(reason: string): void {
    if (over) return
    over = true
    socket.destroy()
    listener.failed(reason)
  }

  const options = {
    host: '127.0.0.1',
    port,
    noDelay: true,
    // One buffer for the life of the connection, in place of a new one and a stream event for each chunk.
    onread: {
      buffer: Buffer.allocUnsafeSlow(64 * 1024),
      callback(length: number, buffer: Uint8Array) {
        const problem = read(buffer as Buffer, length)
        if (problem !== undefined) fail(problem)
        return true
      },
    },
  }
  const socket = isSecure ? connectSecurely({ ...options, rejectUnauthorized: false }) : connect(options)
  socket.on(isSecure ? 'secureConnect' : 'connect', listener.opened)
  socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
  socket.on('close', () => fail('closed by the server'))

  return {
    send(request) {
      socket.write(request)
    },
    close() {
      over = true
      socket.destroy()
    },
  }
}

const maxHeadBytes = 1024

/** Takes chunks and calls `answered` at the end of each answer. Returns what is wrong with a chunk, if anything. */
function answerReader(answered: (status: number) => void) {
  let head = ''
  let status = 0
  // Bytes of the body still to come; -1 between answers, Infinity in a chunked body.
  let missing = -1

  function end(): void {
    missing = -1
    answered(status)
  }

  return function read(buffer: Buffer, length: number): string | undefined {
    if (missing > 0) {
      missing -= length
    } else {
      // Only `length` bytes are new: what lies behind them in the buffer is left over from earlier answers. A whole answer
      // in one chunk is the rule, and its head is at most 1 KiB: the rest need not become text.
      const before = head.length
      head += buffer.toString('latin1', 0, Math.min(length, maxHeadBytes))
      const bodyAt = head.indexOf('\r\n\r\n') + 4
      if (bodyAt === 3) return head.length < maxHeadBytes ? undefined : 'an answer with too large a head'
      status = Number(head.slice(9, 12))
      const announced = announcedLength(head.slice(0, bodyAt))
      if (announced === undefined) return 'an answer without a length'
      missing = announced - (before + length - bodyAt)
      head = ''
    }
    // The last chunk of a body is empty. One that is cut exactly inside these five bytes would be missed: not on loopback.
    if (missing === Infinity && buffer.toString('latin1', Math.max(0, length - 5), length) === '0\r\n\r\n') missing = 0
    if (missing < 0) return 'more bytes than announced'
    if (missing === 0) end()
    return undefined
  }
}

function announcedLength(head: string): number | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return Number(length)
  return /\r\ntransfer-encoding: *chunked/i.test(head) ? Infinity : undefined
}
