import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

interface Look {
  name: string
  path: string
  ready: string
  afterwards?: (page: Page) => Promise<void>
  /** A view with the same parts, which axe checks instead: its rules see markup and colours, not texts. */
  sameAs?: string
}

const views: Look[] = [
  { name: 'the stock', path: '#/stock', ready: '.bars li' },
  { name: 'the stock by category', path: '#/categories', ready: 'tbody tr' },
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
  { name: 'a webhook', path: '#/webhooks?webhook=1', ready: 'dialog .details' },
  { name: 'the settings', path: '#/settings', ready: '.category-list' },
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
    path: '#/settings',
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
    ready: '.category-list',
    afterwards: (page) => page.keyboard.press('?'),
  },
]

async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
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
  return app
}

/** A form sets the focus after it is painted. */
async function nameHasFocus(page: Page): Promise<void> {
  await page.locator('dialog textarea:focus').waitFor()
}

/** Shows a view. What a test opened in the view before is closed by a load. */
async function visit(page: Page, origin: string, view: Look, before?: Look): Promise<void> {
  const isOpen = before?.afterwards !== undefined
  await page.goto(`${origin}/${isOpen ? `?${encodeURIComponent(view.name)}` : new URL(page.url()).search}${view.path}`)
  await page.locator(view.ready).first().waitFor()
  await view.afterwards?.(page)
}

/** Between two limits of the style sheets (44, 62 and 68 rem), what fits the narrowest page fits the others. */
async function assertFits(page: Page, name: string): Promise<void> {
  for (const width of [320, 704, 992, 1088, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await eventually(async () =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${name}, ${width}`),
    )
  }
}

for (const some of [views.slice(0, 10), views.slice(10)]) {
  const names = some.map(({ name }) => name).join(', ')
  browserTest(`axe finds no fault in light or dark mode, and nothing overflows: ${names}`, async (t, open) => {
    const { origin, key } = await startShop(t)
    const { page } = await open({ key })
    for (const [index, view] of some.entries()) {
      await visit(page, origin, view, some[index - 1])
      await assertFits(page, view.name)
      if (view.sameAs === undefined) await assertAccessible(page, view.name)
    }
  })
}

browserTest('axe finds no fault in the animals on a phone', async (t, open) => {
  const { origin, key } = await startShop(t)
  const { page } = await open({ key, viewport: { width: 390, height: 800 } })

  await visit(page, origin, views[1] as Look)

  await assertAccessible(page, 'the animals on a phone')
})

browserTest('axe finds no fault in the form to sign in', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()

  await page.goto(`${origin}/#sign-in=used`)
  await page.getByText('was used already').waitFor()

  await assertAccessible(page, 'signing in')
})

browserTest('the page follows the dark mode of the system', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(origin)
  await page.locator('h1').waitFor()
  const brightness = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    const lightness = (await page.evaluate(`getComputedStyle(document.documentElement).backgroundColor`)) as string
    return Number(/oklch\(([\d.]+)/.exec(lightness)?.[1])
  }

  assert.ok((await brightness('light')) > 0.9)
  assert.ok((await brightness('dark')) < 0.25)
})

browserTest('everything works by keyboard', async (t, open) => {
  const { origin, key, send } = await startShop(t)
  const { page } = await open()
  const focused = () => page.evaluate(`(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()`)
  await page.goto(origin)
  await page.getByLabel('API key').waitFor()
  await eventually(async () => assert.equal(await page.evaluate('document.activeElement.id'), 'key'))

  await page.keyboard.insertText(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  await page.keyboard.press('Tab')
  await eventually(async () => assert.equal(await focused(), 'Skip to the content'))
  for (const way of ['Stock', 'Animals']) {
    await page.keyboard.press('Tab')
    await eventually(async () => assert.equal(await focused(), way))
  }
  await page.keyboard.press('Enter')
  await page.locator('tbody tr').first().waitFor()
  await eventually(async () => assert.equal(await focused(), 'Animals'))

  await page.keyboard.press('n')
  await nameHasFocus(page)
  await page.keyboard.type('Momo')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Cats')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Momo was added with the number 46').waitFor()
  assert.equal((await send('/v1/pets?id=46')).text, '[{"id":46,"name":"Momo","categoryId":2,"status":"pending"}]')

  await page.locator('tbody a').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await focused(), 'Rex'))
  await page.keyboard.press('?')
  await page.getByText('Add an animal').last().waitFor()
})

browserTest('single-key shortcuts can be turned off', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/settings`)

  await page.getByLabel('Single keys are shortcuts').uncheck()
  await page.locator('h1').focus()
  await page.keyboard.press('n')
  await page.keyboard.press('?')

  assert.equal(await page.getByRole('dialog').count(), 0)
})

browserTest('a category name of 1,000 characters does not make rows higher', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'W'.repeat(1000) })
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key, viewport: { width: 320, height: 640 } })
  await page.goto(`${origin}/#/animals`)
  await page.locator('tbody .below', { hasText: 'WWW' }).waitFor()

  const box = await page.locator('tbody tr').boundingBox()

  assert.ok(box !== null && box.height < 120, JSON.stringify(box))
})

browserTest('a printed page has only the view', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Rex' }).waitFor()

  await page.emulateMedia({ media: 'print' })

  for (const hidden of ['.top', '.filters', '.row-action'])
    await eventually(async () => assert.ok(await page.locator(hidden).first().isHidden(), hidden))
  await eventually(async () => assert.ok(await page.getByRole('link', { name: 'Rex' }).isVisible()))
})

browserTest('the current view is marked in forced-colors mode', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(origin)
  const outline = (view: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('.ways [href="#/${view}"]')).outlineStyle`)

  await page.getByRole('link', { name: 'Stock', exact: true }).waitFor()

  await eventually(async () => assert.deepEqual([await outline('stock'), await outline('orders')], ['solid', 'none']))
})

browserTest('a field does not move when it has an error', async (t, open) => {
  const { origin, key } = await startShop(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/settings`)
  const top = async () => (await page.locator('.category-list').boundingBox())?.y
  await page.getByLabel('Find or create').fill('!')
  const before = await top()

  await page.keyboard.press('Enter')
  await page.getByText('No category is called that.').waitFor()

  await eventually(async () => assert.equal(await top(), before))
})

browserTest('counts of one are singular', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(origin)
  await page.locator('.donut-total').waitFor()

  await eventually(async () => assert.doesNotMatch(await page.locator('main').innerText(), /1\s+animals/))
  await page.getByText('1 animal in all.').waitFor({ state: 'attached' })
})

browserTest('a right-to-left name does not affect other text', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex\u202e', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  await page.getByRole('button', { name: 'Place an order' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()

  const name = page.locator('.toast bdi')
  await name.waitFor()
  await eventually(async () => assert.equal(await name.innerText(), 'Rex\u202e'))
})

browserTest('a notice leaves the last row free once the page is scrolled to its end', async (t, open) => {
  const { origin, key, storage, create } = await startApp(t)
  await fillShop(storage, 19)
  await create({ name: 'Last', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(`${origin}/?${width}#/animals?animal=new`)
    await page.getByLabel('Name').fill('Momo')
    await page.getByRole('dialog').getByLabel('Category').fill('1')
    await page.keyboard.press('Enter')
    const toast = page.locator('.toast')
    await toast.waitFor()

    await eventually(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      const [row, notice] = [await page.locator('tbody tr').last().boundingBox(), await toast.boundingBox()]

      assert.ok(row !== null && notice !== null && row.y + row.height <= notice.y, JSON.stringify([row, notice]))
    })
  }
})

browserTest('every status of an animal can be seen on a phone without scrolling', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key, viewport: { width: 390, height: 780 } })
  await page.goto(`${origin}/#/animals?animal=new`)
  await page.getByLabel('Name').waitFor()

  const hidden = await page.evaluate(
    `(() => { const c = document.querySelector('dialog .choices'); return c.scrollWidth - c.clientWidth })()`,
  )

  assert.equal(hidden, 0)
})
