import type { TestContext } from 'node:test'
import { startApp, type TestApp } from './app.ts'
import { type EventStream, numberOf } from './event-stream.ts'

/** A thousand characters that take six bytes each as JSON. */
export const large = '\u0001'.repeat(1000)

/** A shop where `count` animals were added, an event each. */
export async function startShop(
  t: TestContext,
  count: number,
  options: Parameters<typeof startApp>[1] = {},
): Promise<TestApp> {
  const app = await startApp(t, options)
  for (let id = 1; id <= count; id++) await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n })
  return app
}

export function idsOf(stream: EventStream): string[] {
  return stream.events.map(numberOf)
}
