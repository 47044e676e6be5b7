import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import type { App } from '../../src/http/server/app-server.ts'
import { buildSandbox, type SandboxOptions } from '../../src/sandbox/app.ts'
import { makeImages } from '../../src/sandbox/images.ts'
import type { Answer } from './app.ts'

export interface TestSandbox {
  app: App
  origin: string
  failures: Error[]
  /** Sends a request to a shop. `start` is a path below /v1, with a method before it unless it is GET. */
  send(shop: string, start: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends bytes on a new connection and returns everything received until the server closes it. */
  sendRaw(bytes: string): Promise<string>
}

/** Starts a sandbox on a free port. Stopped when the test ends. */
export async function startSandbox(
  t: TestContext,
  { seed = 'empty', ...options }: Partial<SandboxOptions> & { seed?: Parameters<typeof makeImages>[0] } = {},
): Promise<TestSandbox> {
  const failures: Error[] = []
  const ignore = () => undefined
  const observer = {
    answered: ignore,
    refused: ignore,
    streamOpened: ignore,
    streamEnded: ignore,
    unavailable: ignore,
    failed: (error: Error) => void failures.push(error),
  }
  const app = buildSandbox({ images: await makeImages(seed), observer, ...options })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  return {
    app,
    origin,
    failures,
    async send(shop, start, body, headers = {}) {
      const [method, path] = start.includes(' ') ? (start.split(' ') as [string, string]) : ['GET', start]
      const isText = typeof body === 'string'
      const type = body === undefined ? {} : { 'content-type': isText ? 'application/x-ndjson' : 'application/json' }
      const response = await fetch(`${origin}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${shop.startsWith('pet_') ? shop : `sandbox_${shop}`}`, ...type, ...headers },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
    async sendRaw(bytes) {
      const socket = connect(port, '127.0.0.1')
      let received = ''
      socket.setEncoding('latin1').on('data', (text) => (received += text))
      socket.write(bytes)
      await once(socket, 'close')
      return received
    },
  }
}
