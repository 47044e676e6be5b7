import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { type Answer, readAnswers, type TestApp } from './app.ts'
import { until } from './until.ts'

/** A connection on which a test sends exactly the bytes that it wants. */
export interface RawClient {
  socket: Socket
  /** Resolves when the system has taken the bytes, and rejects if it cannot. */
  write(bytes: string | Buffer): Promise<void>
  /** The first response, once all of it has arrived. */
  answer(): Promise<Answer>
  /** Ends our side; resolves when the service has closed its side too. */
  finish(): Promise<void>
}

export function openRawClient(t: TestContext, { origin }: TestApp): RawClient {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
  const chunks: Buffer[] = []
  const closed = once(socket, 'close')
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  t.after(() => socket.destroy())

  return {
    socket,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()))
      }),
    async answer() {
      const received = () => Buffer.concat(chunks).toString('latin1')
      await until(() => isComplete(received()) || socket.destroyed)
      const [answer] = readAnswers(received())
      if (answer === undefined) throw new Error('The connection was closed without a response.')
      return answer
    },
    async finish() {
      socket.end()
      await closed
    },
  }
}

function isComplete(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: (\d+)/im.exec(received.slice(0, end))?.[1]
  return received.length >= end + 4 + Number(length ?? 0)
}
