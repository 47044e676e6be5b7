import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest } from '../support/browser.ts'

browserTest('all animals that match are changed part by part; a lost response is safe to repeat', async (t, open) => {
  const { origin, key, storage, sendJson } = await startApp(t)
  const imported = Array.from({ length: 2_300 }, (_none, at) => ({
    name: `Pet ${at}`,
    categoryId: at % 2 === 0 ? 1n : 2n,
    status: 'available' as const,
  }))
  await storage.imports.add(imported.slice(0, 1_000))
  await storage.imports.add(imported.slice(1_000, 2_000))
  await storage.imports.add(imported.slice(2_000))
  await sendJson('POST /v1/store/orders', { petId: 1 })
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals?category=1`)
  // All attempts of the second call.
  let calls = 0
  await page.route('**/v1/pets/bulk', async (route) => {
    if (isDryRun(route.request().postDataJSON())) return route.fallback()
    calls++
    if (calls < 2 || calls > 4) return route.fallback()
    await route.fetch()
    await route.abort()
  })

  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Choose all 1,150 that match' }).click()
  await page.getByText('All 1,150 animals that match chosen').waitFor()
  await page.getByRole('button', { name: 'Change status…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 1,150 animals' })
  await dialog.getByText('on all pages: 1,150 animals. This cannot be undone.').waitFor()
  await dialog.getByText('Pet 0, Pet 2, Pet 4, Pet 6, Pet 8 and others').waitFor()
  assert.equal(await dialog.getByLabel('Type').count(), 0)
  await dialog.getByLabel('Sold').check({ force: true })
  await dialog.getByRole('button', { name: 'Change status', exact: true }).click()

  await dialog.getByRole('alert').getByText('cannot be reached').waitFor()
  await dialog.getByText('999 animals were changed, 1 stayed as before. Up to 1,000 more may').waitFor()
  await assertAccessible(page, 'all animals that match')
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await dialog.getByText('1,149 animals were changed, 1 stayed as before.', { exact: true }).waitFor()
  await dialog.getByText('Animal 1: The animal has an open order').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  assert.equal(await storage.pets.count({ status: 'sold' }), 1_149n)
  // Two of them count.
  assert.equal(requests.filter((request) => request === 'POST /v1/pets/bulk').length, 7)
})

browserTest('all that match are chosen only as long as the choice stays', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  for (let id = 1; id <= 21; id++) await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?category=1`)
  const wholePage = page.getByLabel('Choose all animals on this page')
  await wholePage.check()
  await page.getByRole('button', { name: 'Choose all 21 that match' }).press('Enter')
  await page.getByText('All 21 animals that match chosen').and(page.locator(':focus')).waitFor()

  await page.getByRole('button', { name: 'Choose none' }).click()
  await wholePage.check()

  await page.getByText('20 animals chosen').waitFor()
})

browserTest('a change of all that match ends with the view that shows it', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  const pets = Array.from({ length: 1_000 }, () => ({ name: 'Rex', categoryId: 1n, status: 'available' as const }))
  await storage.imports.add(pets)
  await storage.imports.add(pets)
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals?category=1`)
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  await page.route('**/v1/pets/bulk', async (route) => {
    if (isDryRun(route.request().postDataJSON())) return route.fallback()
    ask()
    await left
    await route.fallback()
  })
  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Choose all 2,000 that match' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByLabel('Type 2,000 to delete them').fill('2,000')
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await asked

  await page.goto(`${origin}/#/stock`)
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  const answered = page.waitForResponse('**/v1/pets/bulk')
  leave()
  await (await answered).finished()
  // Longer than the page takes to begin another call.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')

  assert.equal(await storage.pets.count({}), 1_000n)
  assert.equal(requests.filter((request) => request === 'POST /v1/pets/bulk').length, 3)
})

browserTest(
  'animals of a search are counted and named before they are deleted, and many need their number',
  async (t, open) => {
    const { origin, key, storage } = await startApp(t)
    const pets = (name: string, count: number) =>
      Array.from({ length: count }, (_none, at) => ({ name: `${name} ${at}`, categoryId: 1n }))
    await storage.imports.add([...pets('Bella', 51), ...pets('Rex', 50)])
    const { page } = await open({ key })
    const { promise: counted, resolve: count } = Promise.withResolvers<void>()
    await page.route('**/v1/pets/bulk', async (route) => {
      await counted
      await route.fallback()
    })
    const remove = page.getByRole('button', { name: 'Delete for good' })
    async function chooseAll(name: string) {
      await page.goto(`${origin}/?${name}#/animals?find=${name}`)
      await page.getByRole('row', { name: `${name} 0` }).waitFor()
      await page.getByLabel('Choose all animals on this page').check()
      await page.getByRole('button', { name: 'Choose all that match' }).click()
      await page.getByRole('button', { name: 'Delete…' }).click()
    }

    await chooseAll('Bella')
    await page.getByText('Counting the animals…').waitFor()
    assert.ok(await remove.isDisabled())
    count()
    const dialog = page.getByRole('dialog', { name: 'Delete 51 animals' })
    await dialog.getByText('Bella 0, Bella 1, Bella 2, Bella 3, Bella 4 and others').waitFor()
    await assertAccessible(page, 'a number to type')
    await remove.click()
    await dialog.getByText('Type the number 51.').waitFor()
    await dialog.getByLabel('Type 51 to delete them').and(page.locator(':focus')).fill('50')
    await page.keyboard.press('Enter')
    assert.equal(await storage.pets.count({}), 101n)
    await dialog.getByLabel('Type 51 to delete them').fill('51')
    await page.keyboard.press('Enter')
    await dialog.getByText('51 animals were deleted').waitFor()
    assert.equal(await storage.pets.count({}), 50n)

    // No more than fifty: the button is enough.
    await chooseAll('Rex')
    await page.getByRole('dialog', { name: 'Delete 50 animals' }).getByText('Rex 0, Rex 1').waitFor()
    await remove.click()
    await page.getByText('50 animals were deleted').waitFor()
  },
)

browserTest('more animals than are counted say so, and a count that fails deletes nothing', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await storage.imports.add(Array.from({ length: 21 }, () => ({ name: 'Rex', categoryId: 1n })))
  const { page } = await open({ key })
  const dryRun = { status: 200, contentType: 'application/json', body: '{"matching":10000,"more":true,"cursor":"a"}' }
  let answers = 0
  await page.route('**/v1/pets/bulk', (route) =>
    ++answers === 1 ? route.fulfill({ status: 500, contentType: 'text/html', body: 'no' }) : route.fulfill(dryRun),
  )
  await page.goto(`${origin}/#/animals?find=rex`)
  await page.getByRole('row', { name: 'Rex' }).first().waitFor()
  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Choose all that match' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')

  await dialog.getByRole('alert').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Delete for good' }).isDisabled())
  await dialog.getByRole('button', { name: 'Try again' }).click()

  await dialog.getByRole('heading', { name: 'Delete more than 10,000 animals' }).waitFor()
  await dialog.getByLabel('Type 10,000 to delete them').waitFor()
  assert.equal(await storage.pets.count({}), 21n)
})

browserTest('as many other animals as were counted are not deleted: added ones stay', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  const pets = Array.from({ length: 55 }, (_none, at) => ({ name: `Bella ${at}`, categoryId: 1n }))
  await storage.imports.add(pets.slice(0, 52))
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?find=bella`)
  await page.getByRole('row', { name: 'Bella 1', exact: false }).first().waitFor()
  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Choose all that match' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByLabel('Type 52 to delete them').fill('52')
  await storage.pets.remove(1n)
  await storage.imports.add(pets.slice(52, 53))

  await page.keyboard.press('Enter')

  const dialog = page.getByRole('dialog', { name: 'Delete 51 animals' })
  await dialog.getByText('The number has changed meanwhile. All that match').waitFor()
  await dialog.getByText('Type the number 51.').waitFor()
  assert.equal(await storage.pets.count({}), 52n)
  // Those that are added now change no number.
  await storage.imports.add(pets.slice(53))
  await dialog.getByLabel('Type 51 to delete them').fill('51')
  await page.keyboard.press('Enter')
  await dialog.getByText('51 animals were deleted').waitFor()
  assert.equal(await storage.pets.count({}), 3n)
})

function isDryRun(body: { dryRun?: boolean }): boolean {
  return body.dryRun === true
}
