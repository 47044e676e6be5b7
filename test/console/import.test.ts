import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'

const shopFile = Buffer.from(
  'Tier;Kategorie;Zustand\r\n"Rex; der Hund";Hamster;verkauft\r\nB\xe9b\xe9;Papageien;frei\r\n;Hamster;weg\r\nTom;1;reserviert\r\n',
  'latin1',
)

browserTest('the file of a shop is matched, checked, imported, and its rejected rows are mended', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  const next = dialog.getByRole('button', { name: 'Next' })
  // What a browser sends when its file picker is cancelled.
  await dialog.getByLabel('File').dispatchEvent('cancel', { bubbles: true })
  await dialog.getByLabel('File').setInputFiles(fileOf('animals.csv', shopFile))
  await dialog.getByRole('cell', { name: 'Bébé' }).waitFor()
  assert.equal(await dialog.getByLabel('Encoding').inputValue(), 'windows-1252')
  await assertAccessible(page, 'import, the file')
  await next.click()
  await dialog.getByRole('heading', { name: 'Columns Step 2 of 3' }).and(page.locator(':focus')).waitFor()
  assert.equal(await dialog.getByLabel('“verkauft” (1 row)').inputValue(), 'sold')
  await assertAccessible(page, 'import, the columns')
  await next.click()
  await dialog.getByText('3 ready, 1 problem, 3 new categories.').waitFor()
  await dialog.getByText('Line 4: The name is missing. The status “weg” is not known.').waitFor()
  await assertAccessible(page, 'import')
  await dialog.getByLabel('Create these categories: Hamster, Papageien, 1').uncheck()
  await dialog.getByText('0 ready, 4 problems.', { exact: true }).waitFor()
  await dialog.getByLabel('Create these categories').check()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByLabel('“weg” (1 row)').selectOption('Sold')
  await dialog.getByLabel('“frei” (1 row)').selectOption('No status')
  await next.click()
  await dialog.getByText('3 ready, 1 problem').waitFor()
  assert.equal(await storage.pets.count({}), 0n)

  // The request adds the animals; it and its retries lose their responses.
  let requests = 0
  await page.route('**/v1/pets/import*', async (route) => {
    if (++requests > 3) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Import 3 animals' }).click()
  await dialog.getByText('The service cannot be reached').waitFor()
  assert.equal(await storage.pets.count({}), 3n)
  await assertAccessible(page, 'import')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Stop the import?' }).getByRole('button', { name: 'Go on' }).click()
  await dialog.getByRole('button', { name: 'Try again' }).click()

  await dialog.getByText('3 animals were added. 1 row was rejected.').waitFor()
  await assertAccessible(page, 'import')
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save the missing rows' }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'animals-rejected.csv')
  assert.match(
    await text(await download.createReadStream()),
    /^\ufeff?line;reason;Tier;Kategorie;Zustand\r\n4;The name is missing\.;;Hamster;weg\r\n$/,
  )
  assert.equal(await storage.pets.count({}), 3n)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('row', { name: /Rex; der Hund.*Hamster.*Sold/ }).waitFor()
})

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  browserTest(`what needs a decision is above the bar at ${viewport.width} × ${viewport.height}`, async (t, open) => {
    const { origin, key, sendJson, storage } = await startApp(t)
    for (const name of ['Dogs', 'Fish']) await sendJson('POST /v1/categories', { name })
    const { page } = await open({ key, viewport })
    await page.goto(`${origin}/#/animals`)
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import animals' })
    const next = dialog.getByRole('button', { name: 'Next' })
    const animals = Array.from({ length: 40 }, (_none, at) => `Pet ${at};${at % 2 === 0 ? 'Owls' : 'Fish'};sold;\n`)
    const titles = 'Stock list;;;\n3 November 2026;;;\n\n'
    const file = Buffer.from(`${titles}Name;Kind;State;Price\n;Dogs;;\n${animals.join('')}`)
    await dialog.getByLabel('File').setInputFiles(fileOf('list.csv', file))
    // The titles above the names of the columns are no animals.
    await dialog.getByText('list.csv: 41 rows').waitFor()
    assert.equal(await dialog.getByLabel('Line with the names').inputValue(), '2')
    await next.click()
    await next.click()

    await dialog.getByText('40 ready, 1 problem, 1 new category.').waitFor()

    const bar = await dialog.locator('.actions').boundingBox()
    for (const decision of [
      dialog.getByText('Create this category: Owls'),
      dialog.getByText('Line 5: The name is missing.'),
    ]) {
      const box = await decision.boundingBox()
      assert.ok(box !== null && bar !== null && box.y > 0 && box.y + box.height <= bar.y, 'it is below the bar')
    }
    assert.equal(await storage.pets.count({}), 0n)
  })
}

browserTest('the line with the names is chosen, and one category for a file without that column', async (t, open) => {
  const { origin, key, sendJson, send } = await startApp(t)
  for (const name of ['Dogs', 'Fish']) await sendJson('POST /v1/categories', { name })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  const next = dialog.getByRole('button', { name: 'Next' })
  await dialog.getByLabel('File').setInputFiles(fileOf('list.csv', Buffer.from('Our stock,\nX,Y\nRex,sold\nTom,\n')))
  await dialog.getByText('list.csv: 3 rows').waitFor()

  await dialog.getByLabel('Line with the names').selectOption('Line 2: X · Y')
  await dialog.getByText('list.csv: 2 rows').waitFor()
  await next.click()
  await dialog.getByLabel('Name', { exact: true }).selectOption('X')
  await dialog.getByLabel('Status', { exact: true }).selectOption('Y')
  await next.click()
  await dialog.getByText('or one category for all animals.').waitFor()
  await dialog.getByLabel('One category for all animals').and(page.locator(':focus')).fill('fi')
  await dialog.getByRole('option', { name: 'Fish' }).click()
  await assertAccessible(page, 'import, one category')
  await next.click()
  await dialog.getByText('2 ready, 0 problems.').waitFor()
  await dialog.getByRole('button', { name: 'Import 2 animals' }).click()
  await dialog.getByText('2 animals were added.').waitFor()

  assert.deepEqual((await send('/v1/pets')).body, [
    { id: 1, name: 'Rex', categoryId: 2, status: 'sold' },
    { id: 2, name: 'Tom', categoryId: 2 },
  ])
})

browserTest('a line whose quote is not closed is shown as it is', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  await dialog.getByLabel('File').setInputFiles(fileOf('list.csv', Buffer.from('name,categoryId\n"Rex,1\nTom,2\n')))

  await dialog.getByText('A quoted field is not closed.').waitFor()

  assert.deepEqual(await dialog.getByLabel('Line with the names').getByRole('option').allInnerTexts(), [
    'No such line',
    'Line 1: name · categoryId',
    'Line 2: "Rex,1',
    'Line 3: Tom · 2',
  ])
})

browserTest('a file without names of columns is imported with its first row', async (t, open) => {
  const { origin, key, sendJson, send } = await startApp(t)
  await sendJson('POST /v1/categories', { name: 'Dogs' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  const next = dialog.getByRole('button', { name: 'Next' })
  const line = dialog.getByLabel('Line with the names')

  // Nothing says that these are values.
  await dialog.getByLabel('File').setInputFiles(fileOf('list.csv', Buffer.from('Rex,Dogs\nTom,Fish\n')))
  await dialog.getByText('list.csv: 1 row').waitFor()
  await line.selectOption('No such line')
  await dialog.getByText('list.csv: 2 rows').waitFor()
  await assertAccessible(page, 'import, a file without names of columns')
  await next.click()
  const name = dialog.getByLabel('Name', { exact: true })
  assert.deepEqual(await name.locator('option').allInnerTexts(), [
    'Choose a column',
    'Column 1: Rex, Tom',
    'Column 2: Dogs, Fish',
  ])
  await dialog.getByRole('button', { name: 'Back' }).click()

  // A number and a status are no names.
  await dialog.getByLabel('File').setInputFiles(fileOf('stock.csv', Buffer.from('1;Rex;sold\n1;Tom;frei\n1;;sold\n')))
  await dialog.getByText('stock.csv: 3 rows').waitFor()
  assert.equal(await line.inputValue(), 'none')
  await next.click()
  await next.click()
  await dialog.getByText('2 ready, 1 problem').waitFor()
  await dialog.getByText('Line 3: The name is missing.').waitFor()
  await dialog.getByRole('button', { name: 'Import 2 animals' }).click()
  await dialog.getByText('2 animals were added.').waitFor()

  assert.deepEqual((await send('/v1/pets')).body, [
    { id: 1, name: 'Rex', categoryId: 1, status: 'sold' },
    { id: 2, name: 'Tom', categoryId: 1, status: 'available' },
  ])
})

browserTest('Back keeps what was chosen in every step, that of the browser too', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/orders`)
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  const next = dialog.getByRole('button', { name: 'Next' })
  const inStep = (name: string) => dialog.getByRole('heading', { name }).and(page.locator(':focus')).waitFor()
  const file = Buffer.from('Shop,Stock,List\nX,Y,Z\nRex,Dogs,weg\n')
  await dialog.getByLabel('File').setInputFiles(fileOf('list.csv', file))
  await dialog.getByLabel('Line with the names').selectOption('Line 2: X · Y · Z')
  await dialog.getByText('list.csv: 1 row').waitFor()
  await next.click()
  await dialog.getByLabel('Name', { exact: true }).selectOption('X')
  await dialog.getByLabel('Category name', { exact: true }).selectOption('Y')
  await dialog.getByLabel('Status', { exact: true }).selectOption('Z')
  await dialog.getByLabel('“weg” (1 row)').selectOption('Sold')
  await next.click()
  await dialog.getByLabel('Create this category').uncheck()
  await dialog.getByText('0 ready, 1 problem.', { exact: true }).waitFor()

  await page.goBack()
  await inStep('Columns Step 2 of 3')
  const chosen = (await dialog.locator('select:visible').all()).map((select) => select.inputValue())
  assert.deepEqual(await Promise.all(chosen), ['0', '1', '', '2', 'sold'])
  await dialog.getByRole('button', { name: 'Back' }).click()
  await inStep('File Step 1 of 3')
  assert.equal(await dialog.getByLabel('Line with the names').inputValue(), '1')
  assert.match(await dialog.getByLabel('File').inputValue(), /list\.csv$/)
  await page.goForward()
  await inStep('Columns Step 2 of 3')
  // Another column: whether to create its categories can still be chosen.
  await dialog.getByLabel('Category name', { exact: true }).selectOption('X')
  await next.click()
  await dialog.getByText('0 ready, 1 problem.', { exact: true }).waitFor()
  await dialog.getByLabel('Create this category: Rex').check()
  await dialog.getByText('1 ready, 0 problems, 1 new category.').waitFor()
  await page.goBack()
  await inStep('Columns Step 2 of 3')
  await dialog.getByLabel('Name', { exact: true }).selectOption('Choose a column')
  await page.goForward()
  await dialog.getByLabel('Name', { exact: true }).selectOption('X')
  await dialog.getByText('1 ready, 0 problems, 1 new category.').waitFor()

  // Closed, it has left no step behind.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await page.evaluate('history.state?.steps'), undefined))
  await page.goBack()
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
})

browserTest('empty cells of a file are a dash or No status in its preview', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('button', { name: 'Import' }).click()
  const file = Buffer.from('name,categoryName,status\n,Dogs,sold\nRex,,\n\u200b,Dogs,\n')
  await page.getByLabel('File').setInputFiles(fileOf('animals.csv', file))

  const rows = page.getByRole('table', { name: 'All rows' }).getByRole('row')
  await rows.nth(3).waitFor()
  const shown = (await rows.allInnerTexts()).slice(1).map((row) => row.split('\t'))
  assert.deepEqual(shown, [
    ['2', '—', 'Dogs', 'sold'],
    ['3', 'Rex', '—', 'No status'],
    ['4', '(invisible)', 'Dogs', 'No status'],
  ])
})

browserTest('a key that may only read is offered no import', async (t, open) => {
  const { origin, makeKey } = await startApp(t)
  const { secret: key } = await makeKey({ permission: 'read' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  await page.getByRole('button', { name: 'Export' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Import' }).count(), 0)
})

function fileOf(name: string, buffer: Buffer) {
  return { name, mimeType: 'text/csv', buffer }
}
