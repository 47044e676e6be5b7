import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { WireEvent } from '../support/event-stream.ts'
import { freePort } from '../support/ports.ts'
import { type Service, startService } from '../support/service.ts'
import { untilAnswered } from './until-answered.ts'

const key = 'a-key-that-outlives-the-crashes'

/** An instance of the service that keeps its port, so that it can be killed and started again. */
export interface Instance {
  readonly service: Service
  start(): Promise<void>
  kill(): Promise<void>
  /** Sends a request until it is answered; resolves to the body of a 2xx. */
  ask<Body>(method: string, path: string, body?: object): Promise<Body>
  /** Adds animals one after the other until it is stopped, also while the service is down. */
  startCreates(): { stop(): Promise<void> }
  addPet(name: string): Promise<void>
  /** The latest event. */
  latest(): Promise<number>
  events(): Promise<WireEvent[]>
}

export async function startInstance(t: TestContext, databaseUrl: string): Promise<Instance> {
  const env = {
    PETSTORE_DATABASE_URL: databaseUrl,
    PETSTORE_PORT: String(await freePort()),
    PETSTORE_API_KEY: key,
    PETSTORE_LOG_LEVEL: 'silent',
    PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true',
  }
  let service = await startService(t, { env })

  async function request(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`${service.origin}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    assert.ok(response.ok, `${response.status} ${method} ${path}`)
    return response
  }

  const addPet = async (name: string) => {
    await (await request('POST', '/pets', { name, categoryId: 1 })).text()
  }

  return {
    get service() {
      return service
    },
    async start() {
      service = await startService(t, { env })
    },
    async kill() {
      await service.stop('SIGKILL')
    },
    ask: <Body>(method: string, path: string, body?: object) =>
      untilAnswered(async () => (await (await request(method, path, body)).json()) as Body),
    startCreates() {
      const ending = new AbortController()
      const running = (async () => {
        for (let count = 1; !ending.signal.aborted; count++) {
          await addPet(`pet ${count}`).catch(() => wait(50))
          await wait(5)
        }
      })()
      return {
        async stop() {
          ending.abort()
          await running
        },
      }
    },
    addPet: (name) => untilAnswered(() => addPet(name)),
    async latest() {
      const [event] = await untilAnswered(
        async () => (await (await request('GET', '/events?sort=-id&limit=1')).json()) as WireEvent[],
      )
      return Number(event?.sequence ?? 0)
    },
    async events() {
      const all: WireEvent[] = []
      for (;;) {
        const after = all.at(-1)?.id ?? 0
        const page = await untilAnswered(
          async () => (await (await request('GET', `/events?limit=100&after=${after}`)).json()) as WireEvent[],
        )
        if (page.length === 0) return all
        all.push(...page)
      }
    },
  }
}
