import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFromThisMachine } from '../../src/http/request/local-request.ts'
import { readHeaders } from '../../src/http/request/request-headers.ts'

for (const [remoteAddress, localAddress, expected] of [
  ['127.0.0.1', '127.0.0.1', true],
  ['127.9.9.9', '127.0.0.1', true],
  ['::1', '::1', true],
  ['::ffff:127.0.0.1', '::ffff:127.0.0.1', true],
  ['::ffff:127.0.0.2', '::ffff:127.0.0.1', true],
  ['192.168.1.5', '192.168.1.5', true],
  ['192.168.1.6', '192.168.1.5', false],
  ['::ffff:192.168.1.6', '::ffff:192.168.1.5', false],
  ['172.17.0.1', '172.17.0.2', false],
  [undefined, undefined, false],
] as const) {
  test(`${remoteAddress} is ${expected ? '' : 'not '}this machine for the address ${localAddress}`, () => {
    const peers = { remoteAddress, localAddress }

    assert.equal(isFromThisMachine({ peers, headers: readHeaders([]) }), expected)
  })
}
