import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientsBehind, type TrustProxy } from '../../../src/http/request/proxies.ts'
import { readHeaders } from '../../../src/http/request/request-headers.ts'

const proxy = '10.0.0.1'
const forwarded = {
  'X-Forwarded-For': '203.0.113.9, 198.51.100.7',
  'X-Forwarded-Host': 'other.example, shop.example',
  'X-Forwarded-Proto': 'http, https',
}
const direct = { address: proxy, host: 'inner:8080', protocol: 'http' }
const behind = { address: '203.0.113.9', host: 'shop.example', protocol: 'https' }

function clientOf(
  trust: TrustProxy,
  headers: Record<string, string>,
  peers: { remoteAddress?: string | undefined } = {},
) {
  const received = {
    headers: readHeaders(Object.entries(headers).flat()),
    peers: { remoteAddress: proxy, encrypted: false, localAddress: undefined, ...peers },
    host: 'inner:8080',
  }
  const clients = clientsBehind(trust)
  return {
    address: clients.addressOf(received),
    host: clients.hostOf(received),
    protocol: clients.protocolOf(received),
  }
}

test('without a trusted proxy nothing that is forwarded counts', () => {
  assert.deepEqual(clientOf(false, forwarded), direct)
  assert.deepEqual(clientOf(['10.0.0.2'], forwarded), direct)
})

test('behind a trusted proxy the last host and protocol count, and the address before all trusted ones', () => {
  assert.deepEqual(clientOf(true, forwarded), behind)
  assert.deepEqual(clientOf(['10.0.0.0/8'], forwarded), { ...behind, address: '198.51.100.7' })
})

test('what a trusted proxy does not forward is that of its connection', () => {
  assert.deepEqual(clientOf(true, {}), direct)
  assert.deepEqual(clientOf(['10.0.0.0/8'], { 'X-Forwarded-Host': '' }), direct)
})

test('a connection that has ended has no address, so nothing that it forwarded counts', () => {
  const { host, protocol } = clientOf(['10.0.0.0/8'], forwarded, { remoteAddress: undefined })

  assert.deepEqual([host, protocol], [direct.host, direct.protocol])
})
