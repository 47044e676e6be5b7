import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually, loseResponses } from '../support/browser.ts'

/** Makes an invitation over HTTP. Returns its link. */
async function invite({ sendJson }: TestApp, name = 'Grace'): Promise<string> {
  const { body } = await sendJson('POST /v1/invitations', { name, permission: 'write' })
  return (body as { link: string }).link
}

async function assertFits(page: Page): Promise<void> {
  for (const width of [320, 390, 704, 992, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await eventually(async () => assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width))
  }
}

browserTest('an admin invites a colleague, who accepts and is signed in with a key of their own', async (t, open) => {
  const { origin, key, send, sendJson } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/settings`)

  await page.getByRole('link', { name: 'Invite a colleague' }).click()
  await page.getByRole('button', { name: 'Invite a colleague' }).click()
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByText('Say who the key is for.').waitFor()
  await page.getByLabel('Who is it for?').fill('Grace')
  await page.getByRole('radio', { name: 'Change' }).check()
  await assertAccessible(page, 'an invitation')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByText('It works once, until').waitFor()
  await page.keyboard.press('Escape')
  const link = await page.getByLabel('Shown only now').inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /^Grace Look and change test Open until/ }).waitFor()
  await assertAccessible(page, 'the keys, with an invitation')
  await assertFits(page)
  await page.setViewportSize({ width: 390, height: 900 })
  const words = await page.getByText('Invite a colleague').boundingBox()
  assert.ok((words?.width ?? 0) > 100, 'the button to invite has no words')
  const button = await page.getByRole('button', { name: /^Take back/ }).boundingBox()
  const table = await page.locator('.invitation-table').boundingBox()
  assert.ok(button !== null && table !== null)
  assert.ok(button.x + button.width + 8 <= table.x + table.width, 'the button reaches the edge of the list')

  const { page: hers } = await open()
  await hers.goto(link)
  await hers.getByRole('heading', { name: 'You are invited' }).waitFor()
  assert.equal(hers.url(), `${origin}/`)
  await hers.getByText('Invited by').waitFor()
  assert.deepEqual((await hers.locator('dd').allInnerTexts()).slice(0, 3), [
    'Grace',
    'test',
    'look at everything and change it',
  ])
  await assertAccessible(hers, 'an invitation that was opened')
  await assertFits(hers)
  await hers.reload()
  assert.equal(((await send('/v1/keys')).body as unknown[]).length, 1)
  await hers.getByRole('button', { name: 'Accept the invitation' }).dblclick()

  await hers.getByText('You are signed in as Grace').waitFor()
  // Keys make no events: the page of the admin reads them again by itself.
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await page.getByRole('row', { name: /^Grace Look and change test Open until/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /^Grace/ }).waitFor()
  await assertAccessible(hers, 'one’s own new key')
  const secret = await hers.getByLabel('Shown only now').inputValue()
  const authorization = `Bearer ${secret}`
  assert.equal((await sendJson('POST /v1/pets', { name: 'Rex', categoryId: 1 }, { authorization })).status, 201)
  assert.equal((await send('/v1/keys', { headers: { authorization } })).status, 403)
  await hers.getByRole('button', { name: 'Done' }).click()
  await eventually(async () => assert.equal((await hers.content()).includes(secret), false))
  await hers.getByRole('link', { name: 'Settings' }).click()
  await hers.getByText('Grace', { exact: true }).waitFor()
  await hers.reload()
  await hers.getByText('Grace', { exact: true }).waitFor()
  assert.equal(await hers.getByText('You are signed in as').count(), 0)
})

browserTest('a link is shown though Escape was pressed while it was made', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/keys`)
  let respond = () => {}
  const isHeld = new Promise<void>((resolve) => (respond = resolve))
  await page.route('**/v1/invitations', async (route) => {
    if (route.request().method() === 'POST') await isHeld
    await route.continue()
  })

  await page.getByRole('button', { name: 'Invite a colleague' }).click()
  await page.getByLabel('Who is it for?').fill('Grace')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('button', { name: 'Making…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel' }).click({ force: true })
  respond()

  await page.getByText('It works once, until').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  assert.match(await page.getByLabel('Shown only now').inputValue(), /#invitation=pet_invite_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: /^Grace/ }).waitFor()
  await page.unroute('**/v1/invitations')
})

browserTest('a link that was used or taken back says what to do', async (t, open) => {
  const app = await startApp(t)
  const { origin, key } = app
  const link = await invite(app)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/keys`)

  await page.getByRole('button', { name: 'Take back the invitation of Grace' }).click()
  await page.getByText('The link for Grace does not work any more').waitFor()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await page.getByText('The invitation of Grace is taken back').waitFor()
  await page.getByRole('row', { name: /Grace/ }).waitFor({ state: 'detached' })
  await page.goto(`${origin}/?again#${new URL(link).hash.slice(1)}`)

  await page.getByText('Ask an admin of the shop for another one').waitFor()
  await assertAccessible(page, 'an invitation that does not work')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
})

browserTest('an invitation is not lost by a failure, and can be left for a key', async (t, open) => {
  const app = await startApp(t)
  const { page } = await open()
  await page.goto(await invite(app))
  await page.getByRole('button', { name: 'Accept the invitation' }).waitFor()
  await page.route('**/v1/invitations/redeem', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('The service cannot be reached right now.').waitFor()
  // The key is made, but nothing else works.
  await page.route('**/console/key', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('Keep this key').waitFor()
  const secret = await page.getByLabel('Shown only now').inputValue()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('You are signed in as Grace').waitFor()
  assert.equal(await page.getByLabel('Shown only now').inputValue(), secret)

  await page.getByRole('button', { name: 'Done' }).click()
  await page.goto(await invite(app, 'Ada'))
  await page.getByRole('heading', { name: 'You are invited' }).waitFor()
  await loseResponses(page, 'POST', '**/v1/invitations/redeem', 1)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('The service cannot be reached right now.').waitFor()
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('It was used already').waitFor()

  await page.goto(await invite(app, 'Kim'))
  await page.getByText('You are signed in as Grace in this tab').waitFor()
  await page.getByRole('button', { name: 'Back to the shop' }).click()
  await page.getByRole('heading', { name: 'Stock' }).waitFor()

  const { page: other } = await open()
  await other.goto(await invite(app, 'Lee'))
  await other.getByRole('button', { name: 'Sign in with it' }).click()
  await other.getByLabel('API key').waitFor()
})

browserTest('a new key is not shown to whoever signs in next', async (t, open) => {
  const app = await startApp(t)
  const { page, context } = await open()
  await page.goto(await invite(app))
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('You are signed in as Grace').waitFor()
  const second = await context.newPage()
  await second.goto(`${app.origin}/#/settings`)
  await second.getByRole('button', { name: 'Sign out' }).first().click()

  await page.getByLabel('API key').fill(app.key)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  assert.equal(await page.getByText('You are signed in as Grace').count(), 0)
})

browserTest('the key of another tab that comes late does not replace the new one', async (t, open) => {
  const app = await startApp(t)
  const { page: first, context } = await open()
  await first.goto(app.origin)
  await first.getByLabel('API key').fill(app.key)
  await first.getByRole('button', { name: 'Sign in' }).click()
  await first.getByRole('heading', { name: 'Stock' }).waitFor()
  const page = await context.newPage()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route(
    '**/console/key',
    async (route) => {
      asked.resolve()
      await answer.promise
      await route.continue()
    },
    { times: 1 },
  )
  await page.goto(await invite(app))
  await asked.promise
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('You are signed in as Grace').waitFor()

  const late = page.waitForResponse('**/console/key')
  answer.resolve()
  await (await late).finished()

  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Grace', { exact: true }).waitFor()
})

browserTest('an invitation that was used is not said to be taken back, and its key is there', async (t, open) => {
  const app = await startApp(t)
  const token = (await invite(app)).split('=')[1]
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/keys`)
  await page.getByRole('button', { name: 'Take back the invitation of Grace' }).click()
  // Not before the click: the page may read the invitations again at any time.
  await page.route('**/v1/invitations/1', async (route) => {
    await app.sendJson('POST /v1/invitations/redeem', undefined, { authorization: `Bearer ${token}` })
    await route.fallback()
  })

  await page.getByRole('button', { name: 'Take it back' }).click()

  await page.getByText('The invitation of Grace was gone already').waitFor()
  await page.getByRole('row', { name: /^Grace .* Active/ }).waitFor()
})

browserTest('a link without its token says that it does not work', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  for (const token of ['', 'x'.repeat(10_000)]) {
    await page.goto(`${origin}/?${token.length}#invitation=${token}`)
    await page.getByText('a part of the link is missing').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByLabel('API key').waitFor()
  }
})

browserTest('the form to sign in says how to get a key', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  await page.goto(origin)

  await page.getByLabel('API key').waitFor()
  await page.getByText('No key yet? Ask an admin for an invitation').waitFor()
  // Shop staff type no commands.
  assert.equal(await page.locator('code').count(), 0)
})

browserTest('the list of invitations says by name who invited, also with the key of the settings', async (t, open) => {
  const secret = newKeySecret('production')
  const key = { id: 'own_5enuBK', name: 'PETSTORE_API_KEY', permission: 'admin', createdAt: 0 } as const
  const app = await startApp(t, { adminKey: secret, ownKey: { hash: keyHash(secret), key } })
  await invite(app)
  const { secret: other } = await app.makeKey({ name: 'Ada', permission: 'admin' })
  const { page } = await open({ key: secret })

  await page.goto(`${app.origin}/#/keys`)
  await page.getByRole('row', { name: /Grace.*PETSTORE_API_KEY/ }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').fill(other)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Keys' }).click()

  await page.getByRole('row', { name: /Grace.*A key of the settings/ }).waitFor()
})
