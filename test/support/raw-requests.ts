import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { type Answer, rawRequest, readAnswers, startApp, type TestApp } from './app.ts'

export const json = 'Content-Type: application/json'

export const rex = '{"name":"Rex","categoryId":1}'

/** The headers of a request that is fine, and the last on its connection. */
export function proper({ key }: TestApp): string[] {
  return ['Host: petstore', 'Connection: close', `Authorization: Bearer ${key}`]
}

/** For methods, addresses and headers that fetch would change or refuse. */
export async function ask(app: TestApp, start: string, headers: readonly string[] = [], body = ''): Promise<Answer> {
  const raw = await app.sendRaw(rawRequest(start, [...proper(app), ...headers], body))
  return readAnswers(raw)[0] as Answer
}

/** A shop with the animals 1 to 7. */
export async function startSeven(t: TestContext): Promise<TestApp> {
  const app = await startApp(t, { metrics: async () => 'up 1\n' })
  for (let id = 1; id <= 7; id++) await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n })
  return app
}

/** Lists often enough for the answer to come from memory. */
export async function listRepeatedly(app: TestApp): Promise<void> {
  for (let times = 0; times < 3; times++) await app.sendRaw(rawRequest('GET /v1/pets', proper(app)))
}

/** The one answer to these bytes. */
export async function responseTo(app: TestApp, bytes: string | Buffer): Promise<Answer> {
  const answers = readAnswers(await app.sendRaw(bytes))
  assert.equal(answers.length, 1)
  return answers[0] as Answer
}

/** Sends each part only when the service has read all before it, as a slow network would. */
export async function sendParts({ app }: TestApp, parts: readonly string[], ca?: string | Buffer): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const accepted = once(app.server, ca === undefined ? 'connection' : 'secureConnection')
  const socket = ca === undefined ? connect(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', ca })
  const closed = once(socket, 'close')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  const [peer] = (await accepted) as [Socket]
  for (const part of parts) {
    const readBefore = peer.bytesRead
    socket.write(part)
    while (peer.bytesRead < readBefore + part.length && !peer.destroyed) await setImmediate()
  }
  await closed
  return received
}

export function chunked(...chunks: string[]): string {
  return [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
}

/** The headers of a request after which the connection stays open. */
export function keptOpen(app: TestApp): string[] {
  return proper(app).filter((header) => !header.startsWith('Connection'))
}
