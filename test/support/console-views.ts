import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp } from './app.ts'
import { fillShop } from './shop.ts'

/** A view of the console, or a part of one that has its own layout. */
export interface Look {
  name: string
  path: string
  ready: string
  afterwards?: (page: Page) => Promise<void>
  /** A view with the same parts, which axe checks instead: its rules see markup and colours, not texts. */
  sameAs?: string
}

/** What tests that go through the whole console visit. A new view has its entry here. */
export const views: readonly Look[] = [
  { name: 'the stock', path: '#/stock', ready: '.bars li' },
  { name: 'the categories', path: '#/categories', ready: '.category-list' },
  { name: 'the animals', path: '#/animals', ready: 'tbody tr' },
  { name: 'animals that were found', path: '#/animals?find=r', ready: '.found-categories' },
  { name: 'no animals', path: '#/animals?category=4711', ready: '.empty' },
  { name: 'a new animal', sameAs: 'a new animal with faults', path: '#/animals?animal=new', ready: 'textarea' },
  {
    name: 'a new animal with faults',
    path: '#/animals?animal=new',
    ready: 'textarea',
    afterwards: async (page) => {
      await nameHasFocus(page)
      await page.keyboard.press('Enter')
    },
  },
  { name: 'an animal with an order', path: '#/animals?animal=1', ready: '.order-actions' },
  {
    name: 'a question before ordering',
    path: '#/animals?status=available',
    ready: '.row-action button',
    afterwards: async (page) => {
      await page.locator('.row-action button').first().click()
      await page.getByLabel('Note').fill(' ')
    },
  },
  {
    name: 'changing an order',
    sameAs: 'a question before ordering',
    path: '#/animals?animal=1',
    ready: '.order-actions',
    afterwards: async (page) => {
      await page.getByRole('button', { name: 'Change customer or note' }).click()
      await page.getByLabel('Note').waitFor()
    },
  },
  {
    name: 'an animal about to be deleted',
    path: '#/animals?animal=2',
    ready: '.danger-text',
    afterwards: async (page) => {
      await page.getByRole('button', { name: 'Delete this animal' }).click()
      await page.locator('.leaving').waitFor()
    },
  },
  { name: 'the orders', path: '#/orders', ready: 'tbody tr' },
  { name: 'an order', path: '#/orders?order=1', ready: '.history li' },
  { name: 'orders that were found', sameAs: 'the orders', path: '#/orders?find=ada', ready: 'tbody tr' },
  { name: 'no orders', sameAs: 'no animals', path: '#/orders?status=completed', ready: '.empty' },
  {
    name: 'the activity',
    path: '#/activity',
    ready: 'summary',
    afterwards: (page) => page.locator('summary').first().click(),
  },
  { name: 'the keys', path: '#/keys?keys=all', ready: 'tbody tr' },
  {
    name: 'a new key',
    path: '#/keys',
    ready: 'tbody tr',
    afterwards: async (page) => {
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByLabel('Who is it for?').fill('x'.repeat(100))
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByLabel('Shown only now').waitFor()
    },
  },
  { name: 'the webhooks', path: '#/webhooks', ready: 'tbody tr' },
  {
    name: 'a new webhook',
    path: '#/webhooks',
    ready: 'tbody tr',
    afterwards: async (page) => {
      await page.getByRole('button', { name: 'Make a webhook' }).click()
      await page.getByRole('button', { name: 'Make the webhook' }).click()
      await page.locator('.fault').first().waitFor()
    },
  },
  {
    name: 'a webhook',
    path: '#/webhooks?webhook=1',
    ready: 'dialog .history li',
    afterwards: (page) => page.locator('dialog summary').first().click(),
  },
  { name: 'the settings', path: '#/settings', ready: '.settings' },
  {
    name: 'choosing a category',
    path: '#/animals?animal=new',
    ready: 'textarea',
    afterwards: async (page) => {
      await page.getByRole('dialog').getByLabel('Category').fill('do')
      await page.getByRole('option', { name: 'Dogs' }).waitFor()
      await page.getByRole('option', { name: 'Create' }).waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'renaming a category',
    sameAs: 'a new key',
    path: '#/categories',
    ready: '.category-list',
    afterwards: async (page) => {
      await page.getByRole('button', { name: 'Dogs' }).click()
      await page.getByLabel('Name').fill('Hounds')
      await page.getByText('animals keep it').waitFor()
    },
  },
  {
    name: 'the box for everything',
    path: '#/animals',
    ready: 'tbody tr',
    afterwards: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('a')
      await page.getByRole('option', { name: 'Ada Lovelace Customer' }).waitFor()
    },
  },
  {
    name: 'the shortcuts',
    path: '#/settings',
    ready: '.settings',
    afterwards: (page) => page.keyboard.press('?'),
  },
]

/** A shop in which every view has something to show. */
export async function startShop(t: TestContext): Promise<TestApp> {
  const app = await startApp(t)
  await fillShop(app.storage, 45)
  await app.makeKey({ name: 'Señora '.repeat(12), permission: 'read', expiresAt: 1, createdAt: 0 })
  await app.send('/v1/store/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ petId: 1, customer: 'Ada Lovelace', note: 'Collects on Saturday.' }),
  })
  const url = `https://shop.example.com/${'hook'.repeat(40)}`
  await app.sendJson('POST /v1/webhooks', { url, description: 'Sends every order to the warehouse. '.repeat(5) })
  await app.sendJson('POST /v1/webhooks', { url: 'https://shop.example.com', types: ['petstore.order.placed'] })
  await app.storage.webhooks.disable(2n, 'failed')
  await addDeliveries(app)
  return app
}

/** A form sets the focus after it is painted. */
export async function nameHasFocus(page: Page): Promise<void> {
  await page.locator('dialog textarea:focus').waitFor()
}

/** Shows a view. What a test opened in the view before is closed by a load. */
export async function visit(page: Page, origin: string, view: Look, before?: Look): Promise<void> {
  const isOpen = before?.afterwards !== undefined
  await page.goto(`${origin}/${isOpen ? `?${encodeURIComponent(view.name)}` : new URL(page.url()).search}${view.path}`)
  await page.locator(view.ready).first().waitFor()
  await view.afterwards?.(page)
}

/** Deliveries of the first webhook, which fails. */
async function addDeliveries({ storage: { deliveries } }: TestApp): Promise<void> {
  const lease = await deliveries.acquire('the process that delivers', 60_000)
  if (lease === undefined) throw new Error('Another process delivers.')
  const at = Date.now()
  const position = { webhookId: 1n, eventId: 1_000n, attempts: 2, failingSince: at + 60_000 }
  await deliveries.record(lease, 60_000, { positions: [position], tries: [] })
  const tried = { webhookId: 1n, eventId: 1n, type: 'petstore.pet.created', at, attempt: 1, durationMs: 15_000 }
  const responseStart = `<p>${'unbreakable'.repeat(20)}</p>`
  await deliveries.addTry({ ...tried, status: 204 })
  await deliveries.addTry({ ...tried, error: `getaddrinfo ENOTFOUND ${'shop'.repeat(40)}.example` })
  await deliveries.addTry({ ...tried, attempt: 2, status: 502, responseStart, nextAttemptAt: at + 30_000 })
}
