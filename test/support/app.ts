import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, type TestContext } from 'node:test'
import { type AppOptions, buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/server/app-server.ts'
import type { Answered, Observer, StreamEnd } from '../../src/http/replies/observe.ts'
import { keyHash, newKeyId, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { sqliteInMemory, type Engine } from './engines.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body parsed with JSON.parse, undefined if there is none. */
  body: unknown
}

export interface TestApp {
  app: App
  storage: Storage
  /** The origin, such as http://127.0.0.1:34567. */
  origin: string
  /** An admin key, as a shop's first one is. */
  key: string
  answered: Answered[]
  failures: Error[]
  /** The number of open streams, and why others ended. */
  streams: { open: number; ended: StreamEnd[] }
  /** Sends a request with `key`, unless the headers say otherwise. `path` is relative to the origin. */
  send(path: string, init?: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }): Promise<Answer>
  /** Sends JSON text or a value to encode. `start` is for example "POST /v1/pets". */
  sendJson(start: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Adds an animal. */
  create(body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends bytes unchanged on a new connection and returns everything received until the server closes it. */
  sendRaw(bytes: string | Buffer): Promise<string>
  makeKey(key?: Partial<NewApiKey> & { secret?: string }): Promise<{ id: string; secret: string }>
}

let usual: Engine = sqliteInMemory

/** Sets the default engine of `startApp`. */
export function useEngine(engine: Engine): void {
  usual = engine
}

/**
 * Starts the HTTP server on a free port with real storage. Stopped when the test ends. `adminKey` is the secret of a key
 * that the storage has; by default a new one is made.
 */
export async function startApp(
  t: TestContext,
  { engine = usual, adminKey, ...options }: Partial<AppOptions> & { engine?: Engine; adminKey?: string } = {},
): Promise<TestApp> {
  const storage = options.storage ?? (await engine.open(t, options.clock))
  const answered: Answered[] = []
  const failures: Error[] = []
  const streams: TestApp['streams'] = { open: 0, ended: [] }
  const observer: Observer = {
    answered: (answer) => answered.push(answer),
    refused: () => undefined,
    streamOpened: () => void streams.open++,
    streamEnded(reason) {
      streams.open--
      streams.ended.push(reason)
    },
    unavailable: (reason) => failures.push(new Error(reason)),
    failed: (error) => failures.push(error),
  }
  const app = buildApp({
    clock: Date.now,
    observer,
    environment: 'production',
    baseUrls: {},
    minStability: 'experimental',
    keyUsed: () => undefined,
    corsOrigins: [],
    trustProxy: false,
    // No test asks a name server. The address is one of example.com.
    webhookAddresses: { allowPrivate: false, resolve: async () => [{ address: '93.184.215.14', family: 4 }] },
    ...options,
    storage,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const origin = `${options.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`

  const makeKey: TestApp['makeKey'] = async ({
    secret = newKeySecret(options.environment ?? 'production'),
    ...key
  } = {}) => {
    const id = key.id ?? newKeyId()
    await storage.keys.create({ id, name: 'test', permission: 'write', hash: keyHash(secret), createdAt: 0, ...key })
    return { id, secret }
  }
  const key = adminKey ?? (await makeKey({ permission: 'admin' })).secret

  return { app, storage, answered, failures, streams, makeKey, ...requestsTo(origin, key) }
}

export type Requests = Pick<TestApp, 'origin' | 'key' | 'send' | 'sendJson' | 'create' | 'sendRaw'>

/** Sends requests to a service, with this key. */
export function requestsTo(origin: string, key: string): Requests {
  const send: TestApp['send'] = async (path, { headers = {}, ...init } = {}) => {
    const response = await fetch(origin + path, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  const sendJson: TestApp['sendJson'] = (start, body, headers = {}) => {
    const [method = '', path = ''] = start.split(' ')
    return send(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  return {
    origin,
    key,
    send,
    sendJson,
    create: (body, headers) => sendJson('POST /v1/pets', body, headers),
    async sendRaw(bytes) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      const chunks: Buffer[] = []
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.on('error', () => undefined)
      socket.write(bytes)
      await once(socket, 'close')
      return Buffer.concat(chunks).toString()
    },
  }
}

/** The same on a database that others may have open too. */
export async function startAppOn(t: TestContext, url: string): Promise<TestApp> {
  const storage = await openStorage(url)
  t.after(() => storage.close())
  return startApp(t, { storage })
}

/**
 * One app for those tests of a file that leave it as it is: to start one takes longer than most requests. To be called
 * at the top of the file.
 */
export function shareApp(options: Partial<AppOptions> = {}): () => Promise<TestApp> {
  return share((t) => startApp(t, options))
}

/** The same for what `start` starts. */
export function share<Started>(start: (t: TestContext) => Promise<Started>): () => Promise<Started> {
  const ends: (() => unknown)[] = []
  let started: Promise<Started> | undefined
  after(async () => {
    for (const end of ends) await end()
  })
  const t = { after: (end: () => unknown) => ends.unshift(end) } as unknown as TestContext
  return () => (started ??= start(t))
}

/** Parses the result of `sendRaw`: all responses in order, interim ones too. Does not support HEAD. */
export function readAnswers(raw: string): Answer[] {
  const answers: Answer[] = []
  let rest = Buffer.from(raw)
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString().split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    const start = end + 4
    // A body in chunks or compressed is taken as it is; it must be the last.
    const isEncoded = headers.has('transfer-encoding') || headers.has('content-encoding')
    const length = isEncoded ? rest.length - start : Number(headers.get('content-length') ?? 0)
    const text = rest.subarray(start, start + length).toString()
    const isJson = !isEncoded && headers.get('content-type')?.startsWith('application/json') && text !== ''
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
      headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    })
    rest = rest.subarray(start + length)
  }
  return answers
}

/** The bytes of a request with exactly these headers, and Content-Length if there is a body. */
export function rawRequest(start: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return `${[`${start} HTTP/1.1`, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`
}
