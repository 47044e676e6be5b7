import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest } from '../support/browser.ts'

const invisible = '\u200b\u2060\u3164'

/** A link that can be seen and clicked. */
async function follow(page: Page): Promise<void> {
  await page.getByRole('link', { name: '(invisible)' }).first().click()
}

browserTest('an animal, a category and a customer that cannot be seen have something to click', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await storage.categories.put({ id: 7n, name: invisible })
  await create({ name: invisible, categoryId: 7, status: 'available' })
  await storage.orders.place({ petId: 1n, customer: invisible })
  const { page } = await open({ key })

  await page.goto(`${origin}/#/categories`)
  await follow(page)
  await page.getByRole('heading', { name: 'Animals' }).waitFor()
  assert.equal(await page.getByLabel('Category').inputValue(), '7')
  await page.getByRole('cell', { name: '(invisible)' }).nth(1).waitFor()
  await follow(page)
  await page.getByRole('heading', { name: '(invisible)' }).waitFor()
  await page.goto(`${origin}/#/orders`)
  // The name of the animal is there later than that of the customer.
  const names = page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: '(invisible)' })
  await names.nth(1).waitFor()
  await names.first().click()
  await page.getByText('Animal number 1').waitFor()
  await page.goto(`${origin}/#/orders`)
  await names.nth(1).click()
  await page.getByText('Orders of (invisible)').waitFor()
})
