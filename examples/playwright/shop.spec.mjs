import { startPetStore } from '@petstore/server/testing'
import { expect, test } from '@playwright/test'

let shop

test.beforeAll(async () => {
  shop = await startPetStore({ seed: [{ id: 7, name: 'Rex', categoryId: 1, status: 'available' }] })
})
test.afterAll(() => shop?.stop())

test('an animal that another client adds appears in the page', async ({ page }) => {
  // Your page; here the console of the pet store, which signs in by itself.
  await page.goto(new URL(`/#sign-in=${shop.key.slice('sandbox_'.length)}`, shop.url).href)
  await page.getByRole('link', { name: 'Animals' }).click()
  await expect(page.getByText('1 animal', { exact: true })).toBeVisible()

  await shop.client.pets.create({ name: 'Max', categoryId: 1 })

  await expect(page.getByRole('row', { name: /Max/ })).toBeVisible()
})
