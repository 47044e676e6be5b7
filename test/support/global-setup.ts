import { fileURLToPath } from 'node:url'
import type { BrowserServer } from 'playwright-core'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { startChromium } from './chromium.ts'
import { type PostgresServer, preparePostgres, startPostgres } from './postgres-server.ts'

// For `node --test --test-global-setup`: resources shared by all test files, passed through the environment.

let postgres: PostgresServer | undefined
let chromium: BrowserServer | undefined

/** Ends a run that takes longer: a test file that never ends must not occupy a machine for hours. */
export async function globalSetup(runTimeoutMs: number): Promise<void> {
  setTimeout(() => interrupt(`The tests took more than ${runTimeoutMs / 60_000} minutes.`), runTimeoutMs).unref()
  // Strips types and compiles code once, not in each process.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
  await Promise.all([sharePostgres(), shareChromium(), renewBundle()])
}

export async function globalTeardown(): Promise<void> {
  postgres?.child.off('exit', reportPostgresEnd)
  await Promise.all([postgres?.stop(), chromium?.close()])
}

async function sharePostgres(): Promise<void> {
  process.env['PETSTORE_TEST_POSTGRES'] = (await preparePostgres()).folder
  if (process.env['PETSTORE_TEST_DATABASE_URL'] !== undefined) return
  postgres = await startPostgres()
  postgres.child.once('exit', reportPostgresEnd)
  process.env['PETSTORE_TEST_DATABASE_URL'] = postgres.url
  process.env['PETSTORE_TEST_SERVER_IS_OURS'] = 'yes'
}

async function shareChromium(): Promise<void> {
  chromium = await startChromium('server')
  process.env['PETSTORE_TEST_BROWSER'] = chromium?.wsEndpoint() ?? ''
}

function reportPostgresEnd(code: number | null, signal: string | null): void {
  interrupt(`The PostgreSQL server of the tests ended: ${signal ?? `exit code ${code}`}.`)
}

/** Ends the run: the runner kills the test files and names those that were running. */
function interrupt(why: string): void {
  process.stderr.write(`${why}\n`)
  process.kill(process.pid, 'SIGTERM')
}
