import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { howToInstall, startChromium } from './chromium.ts'

export interface Tab {
  page: Page
  context: BrowserContext
  /** The requests that the page made, such as `GET /v1/pets?limit=20`. */
  requests: string[]
}

/** Opens a tab with an empty profile; with a key, signed in. */
export type OpenTab = (options?: BrowserContextOptions & { key?: string }) => Promise<Tab>

let opening: Promise<Browser | undefined> | undefined

/** The Chromium of all test files (an empty address: there is none), otherwise one for this file alone. */
async function openBrowser(): Promise<Browser | undefined> {
  // The pages are those of the sources as they are now.
  const notice = await renewBundle()
  if (notice?.isCurrent === false) throw new Error(notice.sentence)
  const shared = process.env['PETSTORE_TEST_BROWSER']
  if (shared === undefined) return startChromium('browser')
  return shared === '' ? undefined : chromium.connect(shared)
}

after(async () => {
  await (await opening)?.close()
})

/**
 * A test in a real Chromium with its own profile. It fails if the page logs an error, makes a third-party
 * request or attempts what its policy blocks. Without Chromium it is skipped with a notice; in CI it fails.
 */
export function browserTest(name: string, run: (t: TestContext, open: OpenTab) => Promise<void>): void {
  test(name, { timeout: 120_000 }, async (t) => {
    const browser = await (opening ??= openBrowser())
    if (browser === undefined) {
      if (process.env['CI'] !== undefined) throw new Error(howToInstall)
      return t.skip(`NOT TESTED: ${howToInstall}`)
    }
    const complaints: string[] = []
    await run(t, (options) => openTab(t, browser, complaints, options))
    assert.deepEqual(complaints, [])
  })
}

/** Waits until an assertion about the page holds. */
export async function eventually(holds: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + 10_000; ; await sleep(20)) {
    try {
      return await holds()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** Lets the service answer the first `count` requests of a kind, and loses the responses. */
export async function loseResponses(page: Page, method: string, url: string, count: number): Promise<void> {
  let lost = 0
  await page.route(url, async (route) => {
    if (route.request().method() !== method || lost === count) return route.fallback()
    lost++
    await route.fetch()
    await route.abort()
  })
}

async function openTab(
  t: TestContext,
  browser: Browser,
  complaints: string[],
  { key, ...options }: BrowserContextOptions & { key?: string } = {},
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  t.after(() => context.close())
  if (key !== undefined) await context.addInitScript(`sessionStorage.setItem('petstore-key', '${key}')`)
  // Chromium itself does not log a blocked eval().
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('blocked by the policy:', violatedDirective, blockedURI))`)
  context.setDefaultTimeout(10_000)
  const requests: string[] = []
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself reports every response from 400 up; the page has to explain those.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, hostname, pathname, search } = new URL(request.url())
    requests.push(`${request.method()} ${pathname}${search}`)
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complaints.push(`request to ${request.url()}`)
  })
  return { page, context, requests }
}
