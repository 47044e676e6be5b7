import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startApp } from '../support/app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const walk = [...page.matchAll(/^\d+\. \[`[^`]+`\]\(\.\.\/(src\/[^)]+)\)/gm)].map(([, path = '']) => path)

/** What runs at the start, and what is only a type. Their neighbours of the walk import them, or they import those. */
const notRun: Readonly<Record<string, readonly [importing: string, imported: string][]>> = {
  'src/http/shop-edge.ts': [
    ['src/http/shop-edge.ts', './gates/authenticate.ts'],
    ['src/http/shop-edge.ts', './routes/pets.ts'],
  ],
  'src/inventory/pets.ts': [['src/http/routes/pets.ts', '../../inventory/pets.ts']],
}

test('the walk of docs/architecture.md has twelve files', () => {
  assert.equal(walk.length, 12)
  assert.equal(new Set(walk).size, 12)
})

test('a create runs the code of every file of the walk, or imports it', async (t) => {
  const { create } = await startApp(t)
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')

  const { status } = await create({ name: 'Rex', categoryId: 1 })

  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  assert.equal(status, 201)
  const ran = new Set(
    result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) => url.replace(/\?.*/, '')),
  )
  const fileUrl = (path: string) => new URL(`../../${path}`, import.meta.url).href
  assert.deepEqual(
    walk.filter((path) => !ran.has(fileUrl(path)) && !(path in notRun)),
    [],
  )
})

for (const [path, imports] of Object.entries(notRun)) {
  test(`${path} is connected with its neighbours of the walk`, () => {
    for (const [importing, imported] of imports) {
      assert.ok(
        readFileSync(join(root, importing), 'utf8').includes(`from '${imported}'`),
        `${importing} → ${imported}`,
      )
    }
  })
}
