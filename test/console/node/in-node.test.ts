import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('the state and the API of the console can be imported without a browser', async () => {
  const names = globSync('console/{state,api}/**/*.ts', { cwd: root })

  assert.ok(names.length > 30)
  for (const name of names) await assert.doesNotReject(() => import(`../../../${name}`), name)
})
