import type { TestContext } from 'node:test'
import { startApp } from './app.ts'

export const mergePatch = { 'content-type': 'application/merge-patch+json' }
export const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}'

/** A shop with one animal, 1, which is `rex`. */
export async function startWithRex(t: TestContext, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options)
  await app.create({ name: 'Rex', categoryId: 7, status: 'available' })
  const update = (body: unknown, headers?: Record<string, string>) => app.sendJson('PATCH /v1/pets/1', body, headers)
  return { ...app, update }
}
