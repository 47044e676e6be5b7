import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('Ctrl and Enter add an animal and keep the form for the next one of its kind', async (t, open) => {
  const { origin, key, send } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)
  const sheet = page.getByRole('dialog', { name: 'Add an animal' })

  await sheet.getByLabel('Name').fill('Rex')
  await sheet.getByLabel('Category').fill('7')
  await sheet.getByLabel('Pending').check({ force: true })
  await page.keyboard.press('Control+Enter')
  await sheet.getByText('Rex was added with the number 1').waitFor()
  await page.locator('#pet-name:focus').waitFor()
  assert.equal(await sheet.getByText('You typed this before').count(), 0)
  await page.keyboard.type('Luna')
  await sheet.getByRole('button', { name: 'Add another' }).click()
  await sheet.getByText('Luna was added with the number 2').waitFor()
  await page.keyboard.type('Tom')
  await page.keyboard.press('Enter')

  await sheet.waitFor({ state: 'detached' })
  const shared = { categoryId: 7, status: 'pending' }
  assert.deepEqual((await send('/v1/pets')).body, [
    { id: 1, name: 'Rex', ...shared },
    { id: 2, name: 'Luna', ...shared },
    { id: 3, name: 'Tom', ...shared },
  ])
})

browserTest('a name typed while another is sent is kept, and so is one that was refused', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  const { page } = await open({ key })
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(
    '**/v1/pets',
    async (route) => {
      asked.resolve()
      await answered.promise
      await route.fulfill({ status: 400, json: { code: 'invalid_body', message: 'Not this one.', status: 400 } })
    },
    { times: 1 },
  )
  await page.goto(`${origin}/#/animals?animal=new`)
  const sheet = page.getByRole('dialog', { name: 'Add an animal' })
  const name = sheet.getByLabel('Name')
  await name.fill('Rex')
  await sheet.getByLabel('Category').fill('7')

  await page.keyboard.press('Control+Enter')
  await asked.promise
  await page.keyboard.type('Luna')
  answered.resolve()

  await sheet.getByText('Not this one.').waitFor()
  await sheet.getByText('Rex was not added.').waitFor()
  await eventually(async () => assert.equal(await name.inputValue(), 'Luna'))
  await page.keyboard.press('Control+Enter')
  await sheet.getByText('Luna was added with the number 1').waitFor()

  await page.reload()
  await sheet.getByRole('button', { name: 'Put it back' }).click()
  await eventually(async () => assert.equal(await name.inputValue(), 'Rex'))
  assert.equal(await sheet.getByText('was not added').count(), 0)
  assert.equal(await storage.pets.count({}), 1n)
})
