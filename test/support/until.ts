import { setTimeout as wait } from 'node:timers/promises'

/** `npm run test:mutants` gives up earlier: there most of what is waited for never comes. */
const defaultTimeoutMs = Number(process.env['PETSTORE_TEST_UNTIL_MS'] ?? 60_000)

/** Resolves when the condition holds; rejects after `timeoutMs`. */
export async function until(isSo: () => boolean | Promise<boolean>, timeoutMs = defaultTimeoutMs): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`After ${timeoutMs} ms this was still not so: ${String(isSo)}`)
    await wait(5)
  }
}

/** Repeats the work while it is refused as unavailable. */
export async function untilAvailable<Result>(work: () => Promise<Result>, timeoutMs = 60_000): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== 'unavailable' || performance.now() > deadline) throw error
      await wait(50)
    }
  }
}
