import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { until } from './until.ts'

/** Adds an animal. The service has read the head of the request, and cannot answer before `finish`. */
export async function createInFlight(
  t: TestContext,
  { origin, key, databaseFile }: { origin: string; key: string; databaseFile: string },
) {
  const db = new DatabaseSync(databaseFile)
  t.after(() => db.close())
  db.exec('BEGIN IMMEDIATE')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', expect: '100-continue' }
  const creating = request(`${origin}/v1/pets`, { method: 'POST', headers })
  const response = once(creating, 'response') as Promise<[IncomingMessage]>
  creating.flushHeaders()
  await once(creating, 'continue')
  creating.end('{"name":"Rex","categoryId":1,"status":"available"}')
  return {
    finish: () => db.exec('COMMIT'),
    async answer() {
      const [message] = await response
      return { status: message.statusCode, text: (await message.toArray()).join('') }
    },
  }
}

/** Resolves when nobody listens on the port any more. */
export async function untilPortIsClosed(origin: string): Promise<void> {
  await until(() =>
    fetch(`${origin}/livez`).then(
      () => false,
      () => true,
    ),
  )
}
