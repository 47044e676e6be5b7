import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { readImportFile } from '../../console/state/import-file.ts'
import { type ImportProgress, prepareImport } from '../../console/state/import-pets.ts'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest } from '../support/browser.ts'
import { startClient } from '../support/client.ts'

for (const format of ['csv', 'ndjson'] as const) {
  test(`an import of ${format} lists every rejected row with its line, also if there are more than 100`, async (t) => {
    const { petstore } = await startClient(t)
    const categoryIds = Array.from({ length: 1_300 }, (_none, at) => (at % 4 === 0 ? 'cat' : `${at}`))
    const rows =
      format === 'csv'
        ? `name,categoryId\n"Rex\nII",1\n${categoryIds.map((id) => `Pet,${id}\n`).join('')}`
        : `{"name":"Rex","categoryId":1}\n\n\n${categoryIds.map((id) => `{"name":"Pet","categoryId":${id}}\n`).join('')}`
    const progress: ImportProgress[] = []

    const file = readImportFile(`animals.${format}`, Buffer.from(rows))
    await prepareImport(petstore.pets, file, { name: 0, categoryId: 1 }).run(
      (now) => progress.push(now),
      AbortSignal.timeout(30_000),
    )

    assert.deepEqual(
      progress.map(({ done }) => done),
      [1_000, 1_301],
    )
    assert.equal(progress[1]?.added, 976)
    assert.equal(await petstore.pets.count(), 976)
    assert.deepEqual(
      progress[1].rejects.map(({ line }) => line),
      categoryIds.flatMap((id, at) => (id === 'cat' ? [at + 4] : [])),
    )
  })
}

const animals = '\ufeffTier;Art;Zustand\r\n"Rex; der Hund";1;available\r\nBébé;Katze;sold\r\n犬のポチ;3;\r\n'

browserTest(
  'a file with other columns is imported, and a retry after lost responses adds nothing twice',
  async (t, open) => {
    const { origin, key, storage } = await startApp(t)
    const { page } = await open({ key })
    await page.goto(`${origin}/#/animals`)

    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import animals' })
    // What a browser sends when its file picker is cancelled.
    await dialog.getByLabel('File').dispatchEvent('cancel', { bubbles: true })
    await dialog.getByLabel('File').setInputFiles(fileOf('animals.csv', Buffer.from('B\xe9b\xe9', 'latin1')))
    await dialog.getByText('The file is not text in UTF-8').waitFor()
    await dialog.getByLabel('File').setInputFiles(fileOf('animals.csv', Buffer.from(animals)))
    await dialog.getByRole('button', { name: 'Import 3 animals' }).click()
    await dialog.getByText('Choose the column with the names.').waitFor()
    await dialog.getByLabel('Name').selectOption('Tier')
    await dialog.getByLabel('Category number').selectOption('Art')
    await dialog.getByLabel('Status').selectOption('Zustand')
    await dialog.getByRole('cell', { name: 'Rex; der Hund' }).waitFor()
    await assertAccessible(page, 'import')

    // The first request finds the rejected row. The second one adds the others; it and its retries lose their responses.
    let requests = 0
    await page.route('**/v1/pets/import*', async (route) => {
      if (++requests === 1 || requests > 4) return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Import 3 animals' }).click()
    await dialog.getByText('The service cannot be reached').waitFor()
    assert.equal(await storage.pets.count({}), 2n)
    await assertAccessible(page, 'import')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Stop the import?' }).getByRole('button', { name: 'Go on' }).click()
    await dialog.getByRole('button', { name: 'Try again' }).click()

    await dialog.getByText('2 animals were added. 1 row was rejected.').waitFor()
    await assertAccessible(page, 'import')
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save the list' }).click()
    const saved = await text(await (await downloading).createReadStream())
    assert.match(saved, /^line,message\r\n3,"categoryId [^\r]+"\r\n$/)
    assert.equal(await storage.pets.count({}), 2n)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row', { name: /Rex; der Hund/ }).waitFor()
  },
)

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
