import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Frame, readFrames } from '../../client/src/server-sent-events.ts'
import { assertLinear } from '../support/cpu-cost.ts'

const stream =
  'retry: 1000\nid: 16\n\n: still here\n\nid: 17\ndata: {"name":"ポチ 🐕"}\n\nid:18\ndata:a\ndata\ndata:  b: c\nevent: x\n\n'
const frames: Frame[] = [
  { retryMs: 1000, id: '16' },
  {},
  { id: '17', data: '{"name":"ポチ 🐕"}' },
  { id: '18', data: 'a\n\n b: c' },
]

for (const [name, end] of [
  ['\\n', '\n'],
  ['\\r\\n', '\r\n'],
  ['\\r', '\r'],
] as const) {
  test(`frames are read in chunks of any size, with lines that end in ${name}`, async () => {
    const whole = new TextEncoder().encode(stream.replaceAll('\n', end))

    for (let cut = 0; cut <= whole.length; cut++) {
      assert.deepEqual(await read([whole.slice(0, cut), whole.slice(cut)]), frames)
    }
  })
}

test('an incomplete frame is dropped', async () => {
  const bytes = new TextEncoder().encode('id: 17\ndata: {}\n\nid: 18\ndata: {}\n')

  assert.deepEqual(await read([bytes]), [{ id: '17', data: '{}' }])
})

test('unknown fields are ignored', async () => {
  const bytes = new TextEncoder().encode('retry: soon\nid: a\0b\nnonsense\n:\n\n')

  assert.deepEqual(await read([bytes]), [{}])
})

test('a frame is yielded as soon as it is complete, also with \\r', async () => {
  async function* parts() {
    yield* ['data: a\r', '\r'].map((chunk) => new TextEncoder().encode(chunk))
    await new Promise(() => undefined)
  }
  const reading = readFrames(parts())

  assert.deepEqual(await reading.next(), { done: false, value: { data: 'a' } })
})

test('only \\n, \\r and \\r\\n end a line', async () => {
  const name = 'a\u2028b\u2029c\u0085d\ve\ff'

  assert.deepEqual(await read([new TextEncoder().encode(`data: ${name}\n\n`)]), [{ data: name }])
})

test('a long event in small chunks takes linear time', async () => {
  await assertLinear(4_000_000, async (length) => {
    const bytes = new TextEncoder().encode(`data: ${'x'.repeat(length)}\n\n`)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1024) }, (_, i) =>
      bytes.subarray(i * 1024, (i + 1) * 1024),
    )

    const [frame] = await read(pieces)

    assert.equal(frame?.data?.length, length)
  })
})

async function read(chunks: readonly Uint8Array[]): Promise<Frame[]> {
  return Array.fromAsync(readFrames(ReadableStream.from(chunks)))
}
