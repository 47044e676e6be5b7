import assert from 'node:assert/strict'
import { startApp } from '../../support/app.ts'
import { browserTest, eventually, holdTimers } from '../../support/browser.ts'
import { nameHasFocus, startShop, views, visit } from '../../support/console-views.ts'
import { startSandbox } from '../../support/sandbox.ts'

browserTest('every view of the console shows its content, without an error', async (t, open) => {
  const { origin, key } = await startShop(t)
  const { page } = await open({ key })

  for (const [index, view] of views.entries()) await visit(page, origin, view, views[index - 1])
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
  await eventually(async () => assert.equal(await focused(), 'Stock'))
  await page.getByRole('link', { name: 'Skip to the content' }).focus()
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

browserTest('an order can be placed from an animal and completed from the list', async (t, open) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  const status = async () => ((await app.send('/v1/pets/1')).body as { status: string }).status
  const tab = await open({ key: app.key })
  const { page } = tab
  const endWait = await holdTimers(tab, 8_000)
  await page.goto(`${app.origin}/#/animals`)

  await page.getByRole('button', { name: 'Order Rex' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()
  await page.getByText('Order 1 for Rex was placed').waitFor()
  assert.equal(await status(), 'pending')
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByRole('table', { name: 'Orders' }).getByText('Rex').waitFor()
  await page.getByRole('button', { name: 'Complete order 1' }).click()
  await page.getByText('Rex will be sold').waitFor()
  assert.equal(await status(), 'pending')
  await endWait()

  await page.getByText('Order 1 was completed').waitFor()
  await page.getByText('No open orders').waitFor()
  assert.equal(await status(), 'sold')
  await page.getByRole('link', { name: 'Completed' }).click()
  await page.getByRole('table').getByText('Completed', { exact: true }).waitFor()
})

browserTest('columns that are not recognized are matched by hand', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'animals.txt', mimeType: 'text/csv', buffer: Buffer.from('A\tB\nRex\t7\n') })
  await dialog.getByText('animals.txt: 1 row').waitFor()
  const next = dialog.getByRole('button', { name: 'Next' })
  await next.click()
  await next.click()
  await dialog.getByText('Choose the column with the names.').waitFor()
  await dialog.getByLabel('Name', { exact: true }).selectOption('A')
  await next.click()
  await dialog.getByText('Choose a column for the category').waitFor()
  await dialog.getByLabel('Category number').selectOption('B')
  await next.click()
  await dialog.getByText('1 ready, 0 problems.').waitFor()
  await dialog.getByRole('button', { name: 'Import 1 animal' }).click()
  await dialog.getByText('1 animal was added. 0 rows were rejected.').waitFor()

  assert.equal(await storage.pets.count({}), 1n)
})

browserTest('the view of a sandbox begins its shop again', async (t, open) => {
  const { origin } = await startSandbox(t, { seed: 'demo' })
  const { page } = await open()
  await page.goto(`${origin}/#sign-in=a`)

  await page.getByRole('link', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: 'With an empty shop' }).click()
  await page.getByRole('button', { name: 'Begin again', exact: true }).click()
  await page.getByText('The shop began again with an empty shop').waitFor()

  await page.getByRole('link', { name: 'Animals' }).click()
  await page.getByText('No animals yet').waitFor()
})
