import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Frame, readFrames } from '../../client/src/server-sent-events.ts'

const stream =
  'retry: 1000\nid: 16\n\n: still here\n\nid: 17\ndata: {"name":"ポチ 🐕"}\n\nid:18\ndata:a\ndata\ndata:  b: c\nevent: x\n\n'
const frames: Frame[] = [
  { retry: 1000, id: '16' },
  {},
  { id: '17', data: '{"name":"ポチ 🐕"}' },
  { id: '18', data: 'a\n\n b: c' },
]

for (const [name, end] of [
  ['\\n', '\n'],
  ['\\r\\n', '\r\n'],
  ['\\r', '\r'],
] as const) {
  test(`frames are read whole, wherever the network cuts them, when lines end in ${name}`, async () => {
    const bytes = new TextEncoder().encode(stream.replaceAll('\n', end))
    // What ends in \r is known to be complete only when something else comes.
    const whole = end === '\r' ? [...bytes, 0x3a] : bytes

    for (let cut = 0; cut <= whole.length; cut++) {
      const chunks = [whole.slice(0, cut), whole.slice(cut)].map((chunk) => Uint8Array.from(chunk))
      assert.deepEqual(await read(chunks), frames)
    }
  })
}

test('a frame that is cut off is none', async () => {
  const bytes = new TextEncoder().encode('id: 17\ndata: {}\n\nid: 18\ndata: {}\n')

  assert.deepEqual(await read([bytes]), [{ id: '17', data: '{}' }])
})

test('what is not to be understood is left out', async () => {
  const bytes = new TextEncoder().encode('retry: soon\nid: a\0b\nnonsense\n:\n\n')

  assert.deepEqual(await read([bytes]), [{}])
})

async function read(chunks: readonly Uint8Array[]): Promise<Frame[]> {
  const rest = [...chunks]
  return Array.fromAsync(readFrames(async () => rest.shift()))
}
