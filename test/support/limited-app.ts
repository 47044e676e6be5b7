import type { TestContext } from 'node:test'
import { startApp } from './app.ts'

/** A service that allows two requests a minute, and its clock. */
export async function startLimited(t: TestContext, options: Parameters<typeof startApp>[1] = {}) {
  const clock = { now: Date.parse('2027-01-01T00:00:00Z') }
  return { clock, ...(await startApp(t, { rateLimit: 2, clock: () => clock.now, ...options })) }
}
