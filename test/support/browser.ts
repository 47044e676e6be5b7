import { after, type SuiteContext, type TestContext, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Chromium, findChromium, howToInstall, launch } from './chromium.ts'

let found: Chromium | undefined
let launching: Promise<Browser> | undefined

/** One browser for all tests of a file. */
function browser(): Promise<Browser> {
  launching ??= launch(found as Chromium)
  return launching
}

export interface Tab {
  page: Page
  context: BrowserContext
  /** Requests to anywhere but the service, and whatever the page complained about. Must stay empty. */
  complaints: string[]
}

/**
 * A test in a real Chromium. Where none can be had it is skipped, loudly; in CI it fails, because there nobody would hear.
 */
export function browserTest(name: string, run: (t: TestContext) => Promise<void>): void {
  found ??= findChromium()
  if (found === undefined && process.env['CI'] === undefined) {
    test(name, { skip: `NOT TESTED: ${howToInstall}` }, () => undefined)
    return
  }
  test(name, { timeout: 60_000 }, async (t) => {
    if (found === undefined) throw new Error(howToInstall)
    await run(t)
  })
}

after(async () => {
  await (await launching)?.close()
})

/** A fresh tab, as if of a person who was never here, closed when the test ends. Complaints of the page fail the test. */
export async function openTab(t: TestContext | SuiteContext, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself reports every answer from 400 up; those are for the page to explain.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complaints.push(`request to ${request.url()}`)
  })
  if ('after' in t) t.after(() => context.close())
  return { page, context, complaints }
}
