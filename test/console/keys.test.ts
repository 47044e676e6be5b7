import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually, loseResponses } from '../support/browser.ts'

browserTest('an admin makes a key, copies it, replaces it and revokes it', async (t, open) => {
  const { origin, key, send } = await startApp(t)
  const { page, context } = await open({ key })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  const statusOf = async (secret: string) =>
    (await send('/v1/pets', { headers: { authorization: `Bearer ${secret}` } })).status
  const copied = async () => {
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied.').waitFor()
    const secret = (await page.evaluate('navigator.clipboard.readText()')) as string
    await page.getByRole('button', { name: 'Done' }).click()
    return secret
  }
  await page.goto(`${origin}/#/keys`)

  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('Say who the key is for.').waitFor()
  await page.getByLabel('Who is it for?').fill('Ada')
  await page.getByRole('radio', { name: 'Look' }).check()
  await page.getByRole('radio', { name: '30 days' }).check()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('heading', { name: 'The new key' }).waitFor()
  await page.keyboard.press('Escape')
  const made = await copied()
  assert.equal(await statusOf(made), 200)
  await eventually(async () => assert.equal((await page.content()).includes(made), false))

  await page.getByRole('button', { name: 'Replace Ada' }).click()
  await page.getByRole('button', { name: 'Make a new key' }).click()
  const rotated = await copied()
  assert.deepEqual([await statusOf(made), await statusOf(rotated)], [200, 200])

  await page.getByRole('button', { name: 'Revoke Ada' }).first().click()
  await page.getByRole('button', { name: 'Revoke for good' }).click()
  await page.getByText('The key of Ada is revoked').waitFor()
  await page.getByRole('row', { name: /^Ada / }).nth(1).waitFor({ state: 'detached' })
  assert.deepEqual([await statusOf(made), await statusOf(rotated)], [401, 200])
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('row', { name: /^Ada .* Revoked/ }).waitFor()
})

browserTest('the last admin key is marked as one’s own and cannot be revoked', async (t, open) => {
  const { origin, key, makeKey } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/keys`)
  const revoke = page.getByRole('row', { name: /Your key/ }).getByRole('button', { name: 'Revoke' })

  await eventually(async () => assert.equal(await revoke.getAttribute('aria-disabled'), 'true'))
  await page.getByText('The last admin key: make another first.').waitFor()
  // Its use is not stored yet.
  assert.equal(
    await page
      .getByRole('row', { name: /Your key/ })
      .getByText('Never')
      .count(),
    0,
  )
  await revoke.click({ force: true })
  assert.equal(await page.getByRole('dialog').count(), 0)

  await makeKey({ name: 'Bob', permission: 'admin' })
  await page.reload()
  await page.getByRole('row', { name: /^Bob/ }).waitFor()
  await revoke.click()
  await page.getByText('It is your own key: you will be signed out.').waitFor()
  await page.getByRole('button', { name: 'Revoke for good' }).click()
  await page.getByText('not accepted any more').waitFor()
})

browserTest('keys are hidden from a key that may not manage them', async (t, open) => {
  const { origin, makeKey } = await startApp(t)
  const { secret } = await makeKey({ permission: 'write' })
  const { page, requests } = await open({ key: secret })

  await page.goto(`${origin}/#/keys`)

  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Keys' }).count(), 0)
  assert.equal(requests.includes('GET /v1/keys'), false)
})

browserTest('a key whose successor works is not replaced again, until the successor is revoked', async (t, open) => {
  const { origin, key, makeKey, sendJson } = await startApp(t)
  const { id } = await makeKey({ name: 'till', permission: 'read' })
  const { id: successor } = (await sendJson(`POST /v1/keys/${id}/rotate`, {})).body as { id: string }
  const { page } = await open({ key })
  await page.goto(`${origin}/#/keys`)
  const row = page.getByRole('row').filter({ has: page.getByText(id, { exact: true }) })

  await row
    .getByText(
      `The new key ${successor} replaces it. If the new one is lost, revoke that, and then replace this one again.`,
    )
    .waitFor()
  assert.equal(await row.getByRole('button', { name: 'Replace till' }).getAttribute('aria-disabled'), 'true')
  await sendJson(`POST /v1/keys/${successor}/revoke`, undefined)
  await page.reload()
  await row.getByRole('button', { name: 'Replace till' }).click()

  await page.getByRole('dialog', { name: 'Replace this key' }).waitFor()
})

browserTest('the question before Revoke says which of two keys with one name it ends', async (t, open) => {
  const { origin, key, makeKey, sendJson } = await startApp(t)
  const { id } = await makeKey({ name: 'till', permission: 'read' })
  const { id: successor } = (await sendJson(`POST /v1/keys/${id}/rotate`, {})).body as { id: string }
  const { page } = await open({ key })
  await page.goto(`${origin}/#/keys`)
  const question = page.getByRole('dialog', { name: 'Revoke this key?' })

  await page.getByRole('button', { name: `Revoke till, ${id}, old, ends ` }).click()
  await question.getByText(`the key of till, ${id}, is refused`).waitFor()
  await question.getByText('It is the old key, which ends ').waitFor()
  await question.getByText(`The new one, ${successor}, goes on working.`).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Revoke till, ${successor}` }).click()

  await question.getByText('It is the new key.').waitFor()
  await question.getByText(`Only the old one, ${id}, is left then, and ends `).waitFor()
})

const hourMs = 3_600_000

browserTest('the lifetime of a key is counted by the clock of the service, not of the browser', async (t, open) => {
  const { origin, key, makeKey, storage } = await startApp(t)
  await makeKey({ name: 'till', permission: 'read' })
  const { page } = await open({ key })
  await page.clock.install({ time: Date.now() - 50 * hourMs })
  await page.goto(`${origin}/#/keys`)
  const hoursLeft = async (name: string) => {
    const found = (await storage.keys.list()).find((one) => one.name === name && one.expiresAt !== undefined)
    return Math.round(((found?.expiresAt ?? 0) - Date.now()) / hourMs)
  }

  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByLabel('Who is it for?').fill('Ada')
  await page.getByRole('radio', { name: '30 days' }).check()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('heading', { name: 'The new key' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Replace till' }).click()
  await page.getByRole('radio', { name: 'A day' }).check()
  await page.getByRole('button', { name: 'Make a new key' }).click()
  await page.getByText('The old key works until').waitFor()

  assert.deepEqual([await hoursLeft('Ada'), await hoursLeft('till')], [30 * 24, 24])
})

browserTest('“today” is a date from midnight on', async (t, open) => {
  const { origin, key, create, sendJson } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1 })
  const { page, context } = await open({ key })
  await page.clock.install()
  await page.goto(`${origin}/#/orders?order=1`)
  const placed = page.getByRole('dialog').locator('.details time')
  await eventually(async () => assert.match(await placed.innerText(), /^today, /))

  // So that no response sets the clock right.
  await context.setOffline(true)
  await page.clock.fastForward(24 * hourMs)

  await eventually(async () => assert.doesNotMatch(await placed.innerText(), /today/))
})

browserTest('an admin renames a key, and one’s own new name is seen at once', async (t, open) => {
  const { origin, key, makeKey } = await startApp(t)
  await makeKey({ name: 'Aad', permission: 'read' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/keys`)

  await page.getByRole('button', { name: 'Rename Aad' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename this key' })
  await dialog.getByLabel('Who is it for?').fill('')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await dialog.getByText('Say who the key is for.').waitFor()
  await dialog.getByLabel('Who is it for?').fill('Ada')
  await assertAccessible(page, 'renaming a key')
  await page.keyboard.press('Enter')
  await page.getByText('Aad is now called Ada').waitFor()
  await page.getByRole('row', { name: /^Ada / }).waitFor()

  await page
    .getByRole('row', { name: /Your key/ })
    .getByRole('button', { name: 'Rename' })
    .click()
  await dialog.getByLabel('Who is it for?').fill('Grace')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('row', { name: /^Grace ?Your key/ }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('definition').filter({ hasText: 'Grace' }).waitFor()
  await page.reload()
  await page.getByRole('definition').filter({ hasText: 'Grace' }).waitFor()
})

browserTest('keys and webhooks are in their lists though the response with the secret was lost', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  const isLost = page.getByText('The service cannot be reached right now.')
  await page.goto(`${origin}/#/keys`)
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByLabel('Who is it for?').fill('Ada')
  await loseResponses(page, 'POST', '**/v1/keys', 1)
  await page.getByRole('button', { name: 'Make the key' }).click()
  await isLost.waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Replace Ada' }).click()

  await loseResponses(page, 'POST', '**/v1/keys/*/rotate', 1)
  await page.getByRole('button', { name: 'Make a new key' }).click()
  await isLost.waitFor()
  await page.keyboard.press('Escape')
  await eventually(async () => assert.equal(await page.getByRole('row', { name: /^Ada/ }).count(), 2))

  await page.goto(`${origin}/#/webhooks`)
  await page.getByRole('button', { name: 'Make a webhook' }).click()
  await page.getByLabel('Address').fill('https://shop.example.com/hook')
  await loseResponses(page, 'POST', '**/v1/webhooks', 1)
  await page.getByRole('button', { name: 'Make the webhook' }).click()
  await isLost.waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /shop\.example\.com/ }).waitFor()
})
