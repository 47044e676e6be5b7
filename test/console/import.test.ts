import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest } from '../support/browser.ts'

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
  // What a browser sends when its file picker is cancelled.
  await dialog.getByLabel('File').dispatchEvent('cancel', { bubbles: true })
  await dialog.getByLabel('File').setInputFiles(fileOf('animals.csv', shopFile))
  await dialog.getByText('3 ready, 1 problem, 3 new categories: Hamster, Papageien, 1.').waitFor()
  assert.equal(await dialog.getByLabel('Encoding').inputValue(), 'windows-1252')
  assert.equal(await dialog.getByLabel('“verkauft” (1 row)').inputValue(), 'sold')
  await dialog.getByRole('cell', { name: 'Bébé' }).waitFor()
  await dialog.getByText('Line 4: The name is missing. The status “weg” is not known.').waitFor()
  await assertAccessible(page, 'import')
  await dialog.getByLabel('Create these categories').uncheck()
  await dialog.getByText('0 ready, 4 problems, 3 new categories').waitFor()
  await dialog.getByLabel('Create these categories').check()
  await dialog.getByLabel('“weg” (1 row)').selectOption('Sold')
  await dialog.getByLabel('“frei” (1 row)').selectOption('No status')
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
