import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { RequestBytes } from '../../../src/http/server/request-bytes.ts'

const connections = 50

/** The heap that the connections need when each has read these packets and waits for the rest of a head. */
function heapBytes(packets: readonly Buffer[]): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  const open = Array.from({ length: connections }, () => {
    let current: Buffer | undefined
    const parser = { getCurrentBuffer: () => current }
    const bytes = new RequestBytes({ bytesRead: 1, parser } as unknown as Socket)
    for (const packet of packets) {
      current = packet
      bytes.keepIncompleteHead()
    }
    return bytes
  })
  collect()
  const used = process.memoryUsage().heapUsed - before
  assert.equal(open.length, connections)
  return used
}

test('a head that waits for its rest costs no more than a head may have', () => {
  const endOfRequests = Buffer.from(`${'x'.repeat(64 * 1024)}GET /v1/pets HTTP/1.1\r\n`)
  const drip = Array.from({ length: 1_000 }, () => Buffer.from('x'))

  assert.ok(heapBytes([endOfRequests]) / connections < 16 * 1024, 'with other requests before it in the packet')
  assert.ok(heapBytes(drip) / connections < 16 * 1024, 'byte by byte')
})
