import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

interface TypedForm {
  name: string
  path: string
  open?: (page: Page) => Promise<void>
  /** The field with the focus at first, in which something is typed. */
  field: string
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Every dialog in which something is typed. */
const forms: readonly TypedForm[] = [
  { name: 'a new animal', path: '#/animals?animal=new', field: 'Name' },
  { name: 'an animal', path: '#/animals?animal=1', field: 'Name' },
  { name: 'placing an order', path: '#/animals', open: press('Order Tom'), field: 'Customer' },
  {
    name: 'changing an order',
    path: '#/orders?order=1',
    open: press('Change customer or note'),
    field: 'Customer',
  },
  { name: 'an invitation', path: '#/keys', open: press('Invite a colleague'), field: 'Who is it for?' },
  { name: 'a new key', path: '#/keys', open: press('Make a key'), field: 'Who is it for?' },
  { name: 'the name of a key', path: '#/keys', open: press('Rename till'), field: 'Who is it for?' },
  { name: 'a new webhook', path: '#/webhooks', open: press('Make a webhook'), field: 'Address' },
  { name: 'a webhook', path: '#/webhooks?webhook=1', open: press('Change'), field: 'Address' },
  { name: 'a category', path: '#/categories', open: press('Dogs'), field: 'Name' },
]

browserTest('Ctrl and Enter send every form, also from a choice', async (t, open) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await app.create({ name: 'Tom', categoryId: 1, status: 'available' })
  await app.sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  await app.sendJson('POST /v1/store/orders', { petId: 1, customer: 'Ada' })
  await app.sendJson('POST /v1/webhooks', { url: 'https://shop.example.com/hook' })
  await app.makeKey({ name: 'till', permission: 'read' })
  const { page, requests } = await open({ key: app.key })
  const isWrite = (request: string) => /^(POST|PUT|PATCH) .v1/.test(request)

  for (const [index, { name, path, open: openForm, field }] of forms.entries()) {
    await t.test(name, async () => {
      await page.goto(`${app.origin}/?${index}${path}`)
      await openForm?.(page)
      const dialog = page.getByRole('dialog').last()
      await dialog.getByLabel(field, { exact: true }).fill(`https://typed.example.com/${index}`)
      if (index === 0) await dialog.getByLabel('Category').fill('Dogs')
      const before = requests.filter(isWrite).length

      // From a choice, if the form has one.
      const choice = dialog.getByRole('radio', { checked: true })
      await ((await choice.count()) > 0 ? choice.first() : page.locator(':focus')).press('Control+Enter')

      await eventually(async () => assert.equal(requests.filter(isWrite).length, before + 1))
    })
  }
})

browserTest('what is typed in any form is kept if the key is revoked meanwhile', async (t, open) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await app.create({ name: 'Tom', categoryId: 1, status: 'available' })
  await app.sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  await app.sendJson('POST /v1/store/orders', { petId: 1, customer: 'Ada' })
  await app.sendJson('POST /v1/webhooks', { url: 'https://shop.example.com/hook' })
  await app.makeKey({ name: 'till', permission: 'read' })
  const { page } = await open()
  const signIn = async () => {
    const made = await app.makeKey({ permission: 'admin' })
    await page.getByLabel('API key').fill(made.secret)
    await page.keyboard.press('Enter')
    return made.id
  }

  for (const [index, { name, path, open: openForm, field }] of forms.entries()) {
    await t.test(name, async () => {
      const typed = `https://typed.example.com/${index}`
      const input = page.getByRole('dialog').last().getByLabel(field, { exact: true })
      const hasFocus = () =>
        eventually(async () => assert.equal(await input.evaluate((element) => element.matches(':focus')), true))
      await page.goto(`${app.origin}/?${index}${path}`)
      const id = await signIn()
      await openForm?.(page)
      await hasFocus()
      await input.fill(typed)

      await app.storage.keys.revoke(id, Date.now())
      await page.keyboard.press('Enter')
      await page.getByText('Your key is not accepted any more').waitFor()
      const other = await signIn()
      await openForm?.(page)

      await page.getByText('You typed this before and did not save it.').waitFor()
      assert.equal(await input.inputValue(), typed)
      await hasFocus()
      await page.getByRole('button', { name: 'Discard' }).click()
      await eventually(async () => assert.notEqual(await input.inputValue(), typed))
      await app.storage.keys.revoke(other, Date.now())
      await page.evaluate('sessionStorage.clear()')
    })
  }
})

test('every form of a dialog that says that typed text is kept keeps it', () => {
  const folder = join(import.meta.dirname, '../../console/views')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const texts = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))

  const promising = texts.filter(({ text }) => /<ErrorNotice[^>]* isTyped/.test(text) && text.includes('<Dialog'))

  for (const { file, text } of promising) assert.match(text, /<UnsavedDraft/, file)
})
