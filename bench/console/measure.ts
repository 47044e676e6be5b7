import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Request } from 'playwright-core'
import type { Step } from './views.ts'

/** A view is complete when nothing was requested or changed for this long, which is not counted. */
const quietMs = 400
const maxMs = 30_000

const watch = `
  window.changedAt = performance.now()
  new MutationObserver(() => { changedAt = performance.now() })
    .observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
`

export interface Console {
  /** From the address to the complete first view, in milliseconds. */
  load(): Promise<number>
  /** From an action to the complete view, in milliseconds. */
  time(step: Step): Promise<number>
}

export async function openConsole(browser: Browser, origin: string, key: string): Promise<Console> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.addInitScript(`sessionStorage.setItem('petstore-key', '${key}')`)
  await page.addInitScript(watch)
  const pending = new Set<Request>()
  let requestedAtMs = 0
  page.on('request', (request) => {
    if (!request.headers()['accept']?.includes('event-stream')) pending.add(request)
    requestedAtMs = performance.now()
  })
  for (const name of ['requestfinished', 'requestfailed'] as const)
    page.on(name as 'requestfinished', (request) => {
      pending.delete(request)
      requestedAtMs = performance.now()
    })

  /** The page's clock; what was there before counts as changed now. */
  async function restart(): Promise<number> {
    return (await page.evaluate('changedAt = performance.now()')) as number
  }

  async function complete(startMs: number): Promise<number> {
    for (const end = Date.now() + maxMs; Date.now() < end; await sleep(20)) {
      const { now, changedAt } = (await page.evaluate('({ now: performance.now(), changedAt })')) as {
        now: number
        changedAt: number
      }
      // A view that needs several requests in a row is not complete between two of them.
      const isQuiet = pending.size === 0 && performance.now() - requestedAtMs > quietMs
      if (isQuiet && now - changedAt > quietMs) return changedAt - startMs
    }
    const waiting = [...pending].map((request) => request.url()).slice(0, 5)
    throw new Error(
      `${page.url()} is not complete after ${maxMs / 1_000} s; it waits for ${waiting.join(', ') || 'nothing'}`,
    )
  }
  return {
    async load() {
      await page.goto('about:blank')
      await page.goto(`${origin}/#/stock`)
      return complete(0)
    },
    async time({ from = 'keys', act }) {
      await page.keyboard.press('Escape')
      await page.evaluate(`location.hash = '#/${from}'`)
      await complete(await restart())
      const startMs = await restart()
      await act(page)
      return complete(startMs)
    },
  }
}
