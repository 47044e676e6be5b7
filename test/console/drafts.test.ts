import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('typed text is kept if the animal is deleted meanwhile', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Maximilian')
  await page.getByText('Live', { exact: true }).waitFor()

  await send('/v1/pets/1', { method: 'DELETE' })
  await page.getByText('Somebody deleted this animal meanwhile.').waitFor()
  await page.getByText('You typed: Maximilian').waitFor()
  await page.getByRole('button', { name: 'Add it as a new animal' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()

  await page.getByText('Maximilian was added with the number 2').waitFor()
  assert.equal((await send('/v1/pets')).text, '[{"id":2,"name":"Maximilian","categoryId":7}]')
})

browserTest('typed text of an animal that was deleted is kept over a reload', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Maximilian')

  await send('/v1/pets/1', { method: 'DELETE' })
  await page.reload()

  await page.getByText('You typed: Maximilian').waitFor()
  await page.getByRole('button', { name: 'Add it as a new animal' }).click()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Maximilian'))
})

browserTest('a restored draft is marked and can be discarded', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Max')
  assert.equal(await page.getByText('did not save it').count(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Rex' }).click()

  await page.getByText('You typed this before and did not save it.').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Max'))
  await page.getByRole('button', { name: 'Discard' }).click()

  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rex'))
  assert.equal(await page.getByText('did not save it').count(), 0)
})

browserTest('a full storage of the tab does not bring back an older text', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page, runAtStart } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Max')
  await runAtStart(`{
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (name, text) {
      if (text.includes('Moritz')) throw new DOMException('full', 'QuotaExceededError')
      setItem.call(this, name, text)
    }
  }`)
  await page.reload()
  await page.getByText('You typed this before').waitFor()

  await page.getByLabel('Name').fill('Moritz')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Rex' }).click()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Moritz'))
  await page.reload()

  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rex'))
})

browserTest('a name that is typed takes the place of one from before, which is kept', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Max', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Max' }).waitFor()
  const sheet = page.getByRole('dialog', { name: 'Add an animal' })
  const name = sheet.getByLabel('Name')

  await page.keyboard.press('n')
  await name.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Nemo')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('n')
  await page.getByText('You typed this before').waitFor()
  await name.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Rex')

  await eventually(async () => assert.equal(await name.inputValue(), 'Rex'))
  await sheet.getByText('Nemo was not added.').waitFor()
  await sheet.getByRole('button', { name: 'Put it back' }).click()
  await eventually(async () => assert.equal(await name.inputValue(), 'Nemo'))
})

browserTest('a name that was typed over can be forgotten, and is discarded with the draft', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  const sheet = page.getByRole('dialog', { name: 'Add an animal' })
  const name = sheet.getByLabel('Name')
  const lost = sheet.getByText('Hasso was not added.')
  async function typeOver() {
    await page.goto(`${origin}/#/animals?animal=new`)
    await name.fill('Hasso')
    await page.reload()
    await sheet.getByText('You typed this before').waitFor()
    await name.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Rex')
    await lost.waitFor()
  }

  await typeOver()
  await sheet.getByRole('button', { name: 'Forget it' }).click()
  await lost.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await name.inputValue(), 'Rex'))

  await typeOver()
  await sheet.getByRole('button', { name: 'Discard' }).click()
  await lost.waitFor({ state: 'detached' })
  await page.reload()
  await name.waitFor()
  assert.equal(await lost.count(), 0)
})

browserTest('a name that was typed and deleted again leaves no draft', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)
  const sheet = page.getByRole('dialog', { name: 'Add an animal' })
  await sheet.getByLabel('Name').fill('Rex')
  await sheet.getByLabel('Name').fill('')
  await sheet.getByText('Give the animal a name.').waitFor()

  await page.reload()
  await sheet.getByLabel('Name').waitFor()

  assert.equal(await sheet.getByText('You typed this before').count(), 0)
  assert.equal(await sheet.getByText('Give the animal a name.').count(), 0)
})
