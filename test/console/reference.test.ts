import assert from 'node:assert/strict'
import { signInLink } from '../../src/cli/serving/sign-in-link.ts'
import { startApp } from '../support/app.ts'
import { browserTest } from '../support/browser.ts'

browserTest(
  'the reference page, opened by the printed link, tries operations with a key that works',
  async (t, open) => {
    const link = signInLink()
    const { origin, key, answered } = await startApp(t, { redeemCode: link.redeem })
    const { page } = await open()

    await page.goto(`${origin}/docs#sign-in=${link.offer(key)}`)
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    const asked = page.waitForResponse(`${origin}/v1/pets`)
    await page.getByRole('button', { name: /^Send/ }).first().click()

    assert.equal((await asked).status(), 200)
    assert.ok(answered.some(({ path, keyId }) => path === '/v1/pets' && keyId !== undefined))
    assert.ok(!page.url().includes('sign-in'))
  },
)

browserTest('the reference page knows the key of the tab, and none in another one', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page, context } = await open()
  const holdsKey = `[...document.querySelectorAll('input')].some((input) => input.value === ${JSON.stringify(key)})`

  await page.goto(origin)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  await page.goto(`${origin}/docs`)
  await page.waitForFunction(holdsKey)

  const other = await context.newPage()
  await other.goto(`${origin}/docs`)
  await other.getByText('List animals').first().waitFor()
  assert.equal(await other.evaluate(holdsKey), false)
})
