import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { signInLink } from '../../src/cli/serving/sign-in-link.ts'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'

// The page has a script of 4 MB: a load takes a busy machine a while, and 4 s of CPU time: only tests of Scalar itself load it.
const slow = { timeout: 120_000 }

browserTest('the reference page of the printed link has a working key', async (t, open) => {
  const link = signInLink()
  const { origin, key, answered } = await startApp(t, { redeemCode: link.redeem })
  const { page } = await open()

  await page.goto(`${origin}/docs#sign-in=${link.issueLink(key)}`, slow)
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click(slow)
  const asked = page.waitForResponse(`${origin}/v1/pets`, slow)
  await page.getByRole('button', { name: /^Send/ }).first().click(slow)

  assert.equal((await asked).status(), 200)
  assert.ok(answered.some(({ path, keyId }) => path === '/v1/pets' && keyId !== undefined))
  assert.ok(!page.url().includes('sign-in'))
})

/** In place of Scalar: keeps the key that the page gives it. */
async function withoutScalar(page: Page): Promise<void> {
  const body = `window.Scalar = {
    createApiReference(_element, { authentication }) { window.keyGiven = authentication.securitySchemes?.apiKey.token ?? null },
  }`
  await page.route('**/docs/reference.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

async function assertGiven(page: Page, key: string | null): Promise<void> {
  await eventually(async () => assert.equal(await page.evaluate('window.keyGiven'), key))
}

browserTest(
  'the reference page uses the key of its tab only, until a printed link is opened in it',
  async (t, open) => {
    const link = signInLink()
    const { origin, key } = await startApp(t, { redeemCode: link.redeem })
    const { page, context } = await open()
    await withoutScalar(page)

    await page.goto(origin)
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    await page.goto(`${origin}/docs`)
    await assertGiven(page, key)
    await page.close()

    const other = await context.newPage()
    await withoutScalar(other)
    await other.goto(`${origin}/docs`)
    await assertGiven(other, null)
    await other.goto(`${origin}/docs#sign-in=${link.issueLink(key)}`)

    await assertGiven(other, key)
    await eventually(async () => assert.equal(await other.evaluate(`sessionStorage.getItem('petstore-key')`), key))
    assert.ok(!other.url().includes('sign-in'))
  },
)

browserTest(
  'the reference page is accessible, shows how stable an operation is and links to the console',
  async (t, open) => {
    const { origin } = await startApp(t)
    const { page } = await open()
    await page.goto(`${origin}/docs`, slow)
    await page
      .locator('[class*="copy-button"][aria-label]')
      .first()
      .waitFor({ state: 'attached', ...slow })

    // The page is not ours: its dark mode may differ in more than colours.
    await assertAccessible(page, 'the reference page', false)
    await page.locator('a', { hasText: 'Change an animal' }).first().click(slow)
    await page.locator('.badge', { hasText: 'beta' }).first().waitFor(slow)
    await page.getByRole('link', { name: 'Pet Store console' }).click(slow)

    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
)

browserTest('the reference page works in a browser that blocks storage', async (t, open) => {
  const { origin } = await startApp(t)
  const { page, runAtStart } = await open()
  await runAtStart(`{
    const blocked = () => { throw new DOMException('blocked', 'SecurityError') }
    for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: blocked })
  }`)

  await page.goto(`${origin}/docs`, slow)

  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .waitFor(slow)
})
