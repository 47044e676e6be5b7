import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, browserTest } from '../support/browser.ts'
import { startApp } from '../support/app.ts'
import { followEvents } from '../support/event-stream.ts'

interface Frame {
  id?: string
  data?: string
}
type FrameReader = () => (piece: string) => Frame[]

// Not by a name that the type checker could follow: it has no types.
const { frameReader } = (await import(new URL('../../console/server-sent-events.js', import.meta.url).href)) as {
  frameReader: FrameReader
}

/** What JavaScript, Unicode or another library takes for the end of a line, and server-sent events do not. */
const otherLineEnds = '\u2028\u2029\u0085\u000b\u000c\u001c\u001d\u001e'
const stream = `retry: 1000\nid: 16-k3x9\n\n: still here\n\nid: 17-k3x9\ndata: {"name":"a${otherLineEnds}b: c 🐕"}\n\nid:18\ndata:a\ndata\ndata:  b\n\n`
const frames: Frame[] = [
  { id: '16-k3x9' },
  {},
  { id: '17-k3x9', data: `{"name":"a${otherLineEnds}b: c 🐕"}` },
  { id: '18', data: 'a\n\n b' },
]

for (const [name, end] of Object.entries({ LF: '\n', 'CR LF': '\r\n', CR: '\r' })) {
  test(`lines end with ${name}, and not with what else Unicode has`, () => {
    assert.deepEqual(frameReader()(stream.replaceAll('\n', end)), frames)
  })

  test(`a stream may come in pieces of any size: lines that end with ${name}`, () => {
    const text = stream.replaceAll('\n', end)

    for (let size = 1; size < 20; size++) {
      const read = frameReader()
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      )

      assert.deepEqual(pieces.flatMap(read), frames)
    }
  })
}

test('a frame that is cut off is none', () => {
  assert.deepEqual(frameReader()('id: 1\ndata: a\n\nid: 2\ndata: b\n'), [{ id: '1', data: 'a' }])
})

test('a name with every line separator of Unicode comes whole through a stream of the service', async (t) => {
  const app = await startApp(t)
  const stream = await followEvents(t, app)
  const name = `Rex${otherLineEnds}`

  await app.create({ name, categoryId: 1 })
  await stream.until(() => stream.events.length === 1)

  const sent = frameReader()(stream.text()).filter(({ data }) => data !== undefined)
  assert.deepEqual(
    sent.map(({ data = '' }) => (JSON.parse(data) as { data: { name: string } }).data.name),
    [name],
  )
})

browserTest('an animal with a line separator in its name does not stop the live view', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByText('Live', { exact: true }).waitFor()

  await create({ name: 'Rex\u2028\u2029', categoryId: 1 })
  await create({ name: 'Tom', categoryId: 1 })

  await eventually(async () => assert.equal((await page.getByText('Tom').count()) > 0, true))
  assert.equal(await page.getByText('Live', { exact: true }).count(), 1)
})
