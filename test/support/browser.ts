import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { howToInstall, startChromium } from './chromium.ts'

export interface Tab {
  page: Page
  context: BrowserContext
  /** The requests that the page made, such as `GET /v1/pets?limit=20`. */
  requests: string[]
  /** Runs a script before those of every page that is loaded from now on, until the test ends. */
  runAtStart(script: string): Promise<void>
}

export interface TabOptions {
  /** Signs in with this key. */
  key?: string
  viewport?: { width: number; height: number }
}

export type OpenTab = (options?: TabOptions) => Promise<Tab>

/** Long enough for a busy machine: a page that is right waits for none of it. */
const timeoutMs = 60_000
const wide = { width: 1280, height: 900 }

let opening: Promise<Browser | undefined> | undefined
let emptySite: Server | undefined

/**
 * The page that the tests of this process use one after the other, reset in between; undefined while one uses it. A new
 * page costs more than most tests do with it.
 */
let freePage: Page | undefined

/** The Chromium of all test files (an empty address: there is none), otherwise one for this process alone. */
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
  emptySite?.close()
})

/**
 * A test in a real Chromium. Its first tab is the page of the tests before, reset: each app has its own port, so the
 * page finds nothing of theirs. The test fails if a page logs an error, makes a third-party request or attempts what
 * its policy blocks. Without Chromium it is skipped with a notice; in CI it fails.
 */
export function browserTest(name: string, run: (t: TestContext, open: OpenTab) => Promise<void>): void {
  test(name, { timeout: 4 * timeoutMs, tags: [callerTag()] }, async (t) => {
    const browser = await (opening ??= openBrowser())
    if (browser === undefined) {
      if (process.env['CI'] !== undefined) throw new Error(howToInstall)
      return t.skip(`NOT TESTED: ${howToInstall}`)
    }
    const complaints: string[] = []
    const tabs: OwnedTab[] = []
    try {
      await run(t, (options) => openTab(browser, tabs, complaints, options))
      assert.deepEqual(complaints, [])
      // Before the app ends, which a page would report.
      for (const tab of tabs) await giveBack(tab)
    } finally {
      for (const { page } of tabs) if (page !== freePage) await page.context().close()
    }
  })
}

/**
 * Names the file that calls `browserTest`: for Node the tests are in this one. test/run.ts looks for it. From the root of
 * the project, whose own path may have spaces, which a tag must not have.
 */
function callerTag(): string {
  const root = join(import.meta.dirname, '../..')
  return relative(root, fileURLToPath(getCallSites()[2]?.scriptName ?? import.meta.url))
}

/** Waits until an assertion about the page holds. */
export async function eventually(holds: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await sleep(20)) {
    try {
      return await holds()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/**
 * Timers of the page with this delay do not fire: a busy machine must not end what they limit. Returns a function that
 * fires them.
 */
export async function holdTimers({ page, runAtStart }: Tab, delayMs: number): Promise<() => Promise<unknown>> {
  await runAtStart(`{
    const { setTimeout } = window
    window.heldTimers = []
    window.setTimeout = (end, ms, ...rest) =>
      ms === ${delayMs} ? void window.heldTimers.push(end) : setTimeout(end, ms, ...rest)
  }`)
  return () => page.evaluate('for (const end of heldTimers) end()')
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

interface OwnedTab {
  page: Page
  scripts: { dispose(): Promise<void> }[]
}

async function openTab(
  browser: Browser,
  tabs: OwnedTab[],
  complaints: string[],
  { key, viewport = wide }: TabOptions = {},
): Promise<Tab> {
  const page = freePage ?? (await newPage(browser))
  freePage = undefined
  const scripts: OwnedTab['scripts'] = []
  tabs.push({ page, scripts })
  const context = page.context()
  const runAtStart = async (script: string) => void scripts.push(await context.addInitScript(script))
  await page.setViewportSize(viewport)
  if (key !== undefined) await runAtStart(`sessionStorage.setItem('petstore-key', '${key}')`)

  const requests: string[] = []
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
  return { page, context, requests, runAtStart }
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: wide, locale: 'en-GB', reducedMotion: 'reduce' })
  context.setDefaultTimeout(timeoutMs)
  // Chromium itself does not log a blocked eval().
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('blocked by the policy:', violatedDirective, blockedURI))`)
  // A translator takes the text nodes of the console away. What changes is the text of an element.
  await context.addInitScript(`{
    const { createTextNode } = document
    document.createTextNode = (text) => {
      if (text.trim() !== '' && document.getElementById('console')) console.error('a bare text node:', text)
      return createTextNode.call(document, text)
    }
  }`)
  return context.newPage()
}

/** Resets the page of a tab for the next test, unless that has been done for another, or something cannot be undone. */
async function giveBack({ page, scripts }: OwnedTab): Promise<void> {
  const hasOneTab = !page.isClosed() && page.context().pages().length === 1
  if (freePage !== undefined || !hasOneTab || (await hasClock(page))) return
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().setOffline(false)
  await page.context().clearPermissions()
  // A later app may get the same port. Some tests block the storage.
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => undefined)
  for (const script of scripts) await script.dispose()
  await page.goto(await openEmptySite())
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', media: null })
  freePage = page
}

/** Whether the test installed a clock of Playwright. */
async function hasClock(page: Page): Promise<boolean> {
  return (await page.evaluate(`'__pwClock' in globalThis`)) as boolean
}

/**
 * The address of an empty page. Unlike about:blank it is of the same site as the apps: Chromium starts a process when
 * the site changes.
 */
async function openEmptySite(): Promise<string> {
  if (emptySite === undefined) {
    emptySite = createServer((_request, response) => response.setHeader('content-type', 'text/html').end())
    emptySite.unref().listen(0, '127.0.0.1')
    await once(emptySite, 'listening')
  }
  return `http://127.0.0.1:${(emptySite.address() as AddressInfo).port}/`
}
