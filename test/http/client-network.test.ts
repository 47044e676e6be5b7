import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from '../../src/http/request/client-network.ts'

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['0000:0000:0000:0000:0000:ffff:c000:0201%eth0', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001::6', '2001:db8:1:0::/64'],
  ['2001:db8::3:4:5:6', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1:2:3::4:5:192.0.2.1', '1:2:3:0::/64'],
  ['unknown', 'unknown'],
  ['x'.repeat(1_000), 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
] as const) {
  test(`${address?.slice(0, 30)} is of the network ${network}`, () => {
    assert.equal(networkOf(address), network)
  })
}
