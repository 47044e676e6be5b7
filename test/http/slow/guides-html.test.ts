import { test } from 'node:test'
import { renewBundle } from '../../../src/http/pages/console-bundle.ts'
import { guidePages } from '../../../src/http/replies/guide-pages.ts'
import { startApp } from '../../support/app.ts'
import { assertValid } from '../../support/html.ts'

await renewBundle()

test('every guide passes html-validate', async (t) => {
  const { send } = await startApp(t)

  for (const { path } of guidePages) await assertValid((await send(path)).text)
})
