import type { TestContext } from 'node:test'
import { startApp } from './app.ts'

export const noon = Date.UTC(2027, 0, 1, 12)

/** A shop with the animals 1 to `count`, all of them available. */
export async function startShop(t: TestContext, count: number, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options)
  for (let id = 1; id <= count; id++)
    await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n, status: 'available' })
  return {
    ...app,
    place: (petId: unknown, headers?: Record<string, string>) =>
      app.sendJson('POST /v1/store/orders', { petId }, headers),
    close: (id: number, status: unknown) => app.sendJson(`PATCH /v1/store/orders/${id}`, { status }),
    statusOf: async (id: number) => ((await app.send(`/v1/pets/${id}`)).body as { status?: string }).status,
  }
}
