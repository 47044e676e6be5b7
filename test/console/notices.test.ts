import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

for (const width of [1280, 390]) {
  browserTest(
    `no notice covers what can be done with chosen animals, or the end of a question: ${width} px`,
    async (t, open) => {
      const { origin, key, storage } = await startApp(t)
      await fillShop(storage, 30)
      const tab = await open({ key, viewport: { width, height: 780 } })
      const { page } = tab
      // The notice stays.
      await holdTimers(tab, 8_000)
      await page.goto(`${origin}/#/animals?animal=new`)
      await page.getByLabel('Name').fill('Momo')
      await page.getByRole('dialog').getByLabel('Category').fill('1')
      await page.keyboard.press('Enter')
      const notice = page.locator('.toast')
      await notice.waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.getByLabel('Choose all animals on this page').check()
      await assertApart(notice, page.locator('.bulk-bar'))
      await page.getByRole('button', { name: 'Change status…' }).click()
      await assertApart(notice, page.getByRole('dialog').locator('.actions'))
    },
  )
}

async function assertApart(notice: Locator, other: Locator): Promise<void> {
  await eventually(async () => {
    const [one, two] = [await notice.boundingBox(), await other.boundingBox()]
    assert.ok(one !== null && two !== null)
    assert.ok(one.y + one.height <= two.y || two.y + two.height <= one.y, JSON.stringify([one, two]))
  })
}
