import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

/** After the last test. What is still open then, such as a connection, would keep the process, and the suite, for ever. */
const maxEndMs = 120_000

/**
 * Runs test files one after another in this process, and ends it. A test that changes the process for the files after it
 * fails the run by name.
 */
export async function runTogether(files: readonly string[]): Promise<void> {
  const loaded = load(files)
  before(() => loaded) // Loading would disturb tests that measure or wait.

  if (files.length > 1) holdSharedState()
  after(() => setTimeout(endLate, maxEndMs).unref())
  await loaded
}

function holdSharedState(): void {
  const initially = sharedState()
  let earlier = 'a file as it was loaded'
  beforeEach((t) => {
    assert.deepEqual(sharedState(), initially, `"${earlier}" changed the process for others`)
    earlier = t.fullName
  })
}

function endLate(): void {
  process.stderr.write(
    `Left open by a test, so this process did not end: ${process.getActiveResourcesInfo().join(', ')}\n`,
  )
  process.exit(1)
}

async function load(files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      await import(file)
    } catch (error) {
      test(file, () => {
        throw error
      })
    }
  }
}

function sharedState() {
  const events = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM', 'message', 'disconnect']
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    listeners: events.map((event) => [event, process.listenerCount(event)]),
    clock: [Date.now, setTimeout, setInterval, setImmediate, performance.now],
    fetch,
  }
}
