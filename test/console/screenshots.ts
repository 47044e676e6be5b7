// Makes the pictures in docs/images/ anew: npm run make -- screenshots
import { mkdirSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { type Answer, startApp } from '../support/app.ts'
import { howToInstall, startChromium } from '../support/chromium.ts'
import { fillShop } from '../support/shop.ts'

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const wide = { viewport: { width: 1240, height: 800 }, deviceScaleFactor: 2 }
const tablet = { viewport: { width: 820, height: 900 } }
const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

// The pictures are of the console as it is now.
await renewBundle()
const endings: (() => unknown)[] = []
const dayMs = 24 * 60 * 60_000
let now = Date.now() - 45 * dayMs
const { origin, key, storage, send, create } = await startApp(
  { after: (end: () => unknown) => endings.unshift(end) } as unknown as TestContext,
  { clock: () => now },
)
await fillShop(storage, 1286)
// A month in which something happened.
for (let day = 29; day > 0; day--) {
  now = Date.now() - day * dayMs
  for (let added = 0; added < 4 + ((day * 5) % 9); added++) {
    const { body } = await create({ name: 'Nala', categoryId: 1 + (added % 5), status: 'available' })
    if ((added + day) % 3 !== 0) continue
    const { id } = (await order((body as { id: number }).id)).body as { id: number }
    await change(`/v1/store/orders/${id}`, { status: 'completed' })
  }
}
now = Date.now() - 3 * dayMs
await order(6, { customer: 'Grace Hopper' })
await order(12, { customer: 'Ada Lovelace', note: 'Collects on Saturday.' })
now = Date.now()
for (const petId of [22, 23, 25]) await order(petId)

const browser = (await startChromium('browser')) ?? fail(howToInstall)
mkdirSync(folder, { recursive: true })

await picture('console-stock-light', { ...wide, colorScheme: 'light' }, '#/stock', happen)
await picture('console-animals-dark', { ...wide, colorScheme: 'dark' }, '#/animals?status=available')
await picture('console-animal-light', { ...wide, colorScheme: 'light' }, '#/animals?animal=12')
await picture('console-phone-stock', { ...phone, colorScheme: 'light' }, '#/stock')
await picture('console-phone-animals', { ...phone, colorScheme: 'dark' }, '#/animals')
if (process.argv.includes('--all')) {
  await picture('all-orders', { ...wide, colorScheme: 'light' }, '#/orders')
  await picture('all-orders-phone', { ...phone, colorScheme: 'light' }, '#/orders')
  await picture('all-orders-tablet', { ...tablet, colorScheme: 'light' }, '#/orders')
  await picture('all-animals-tablet', { ...tablet, colorScheme: 'light' }, '#/animals')
  await picture('all-stock-tablet', { ...tablet, colorScheme: 'dark' }, '#/stock')
  await picture('all-settings', { ...wide, colorScheme: 'light' }, '#/settings')
  await picture('all-settings-dark', { ...wide, colorScheme: 'dark' }, '#/settings')
  await picture('all-new', { ...wide, colorScheme: 'dark' }, '#/animals?animal=new')
  await picture('all-new-phone', { ...phone, colorScheme: 'light' }, '#/animals?animal=new')
  await picture('all-empty', { ...wide, colorScheme: 'light' }, '#/animals?category=77777')
  await picture('all-stock-dark', { ...wide, colorScheme: 'dark' }, '#/stock', happen)
  await picture('all-sign-in', { ...wide, colorScheme: 'light' })
  await picture('all-sign-in-dark-phone', { ...phone, colorScheme: 'dark' })
}

await browser.close()
for (const end of endings) await end()

function fail(why: string): never {
  throw new Error(why)
}

/** Without a view, what who is not signed in sees. */
async function picture(
  name: string,
  options: BrowserContextOptions,
  view?: string,
  meanwhile?: (page: Page) => Promise<void>,
) {
  const context = await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (view !== undefined) await page.addInitScript(`sessionStorage.setItem('petstore-key', '${key}')`)
  await page.goto(`${origin}/${view ?? ''}`)
  await settled(page)
  await meanwhile?.(page)
  await settled(page)
  await page.screenshot({ path: `${folder}${name}.png` })
  await context.close()
}

async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1')
  await page.locator('.loading').waitFor({ state: 'detached' })
  await page.waitForTimeout(600)
}

async function happen(page: Page): Promise<void> {
  const counted = page.waitForResponse('**/v1/store/inventory*')
  await create({ name: 'Pixel', categoryId: 2, status: 'available' })
  await order(7)
  await change('/v1/pets/8', { status: 'sold' })
  await counted
}

function order(petId: number, texts: { customer?: string; note?: string } = {}): Promise<Answer> {
  return sendTo('POST', '/v1/store/orders', { petId, ...texts })
}

function change(path: string, body: object): Promise<Answer> {
  return sendTo('PATCH', path, body)
}

function sendTo(method: string, path: string, body: object): Promise<Answer> {
  return send(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}
