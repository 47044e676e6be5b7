import { setTimeout as wait } from 'node:timers/promises'

/** Repeats a request to a service that may be down for a moment. */
export async function untilAnswered<Result>(work: () => Promise<Result>, timeoutMs = 120_000): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await wait(50)
    }
  }
}
