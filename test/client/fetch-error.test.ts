import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { failureOfFetch } from '../../client/src/fetch-error.ts'
import { ConnectionError, PetStore } from '../../client/src/index.ts'
import { certificate } from '../support/certificates.ts'

const caused = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause })

for (const [name, error, expected] of [
  ['ECONNREFUSED', caused({ code: 'ECONNREFUSED', syscall: 'connect' }), 'unreached'],
  ['EHOSTUNREACH', caused({ code: 'EHOSTUNREACH', syscall: 'connect' }), 'unreached'],
  ['ENETUNREACH', caused({ code: 'ENETUNREACH', syscall: 'connect' }), 'unreached'],
  ['ETIMEDOUT of a connect', caused({ code: 'ETIMEDOUT', syscall: 'connect' }), 'unreached'],
  ['a failure of all addresses', caused({ code: 'ETIMEDOUT', errors: [{ syscall: 'connect' }] }), 'unreached'],
  ['a timeout of undici', caused({ code: 'UND_ERR_CONNECT_TIMEOUT' }), 'unreached'],
  ['an unknown host', caused({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), 'unreached'],
  ["Bun's refusal", { code: 'ConnectionRefused' }, 'unreached'],
  ['an own certificate', caused({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'untrusted'],
  ['an unknown issuer', caused({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'untrusted'],
  ['an expired certificate', caused({ code: 'CERT_HAS_EXPIRED' }), 'untrusted'],
  ['a certificate of another host', caused({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'untrusted'],
  ['a certificate, told by Deno', new TypeError('error sending: invalid peer certificate: Expired'), 'untrusted'],
  ['ECONNRESET', caused({ code: 'ECONNRESET', syscall: 'read' }), 'lost'],
  ['ETIMEDOUT of a read', caused({ code: 'ETIMEDOUT', syscall: 'read' }), 'lost'],
  ['a timeout of the headers', caused({ code: 'UND_ERR_HEADERS_TIMEOUT' }), 'lost'],
  ['an error without a cause', new TypeError('Failed to fetch'), 'lost'],
  ['no error at all', undefined, 'lost'],
] as const) {
  test(`${name} is "${expected}"`, () => {
    assert.equal(failureOfFetch(error), expected)
  })
}

test('a certificate that is not trusted is not tried again, and nothing was done', async (t) => {
  const server = createServer(certificate('first')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const petstore = new PetStore({ baseUrl: `https://127.0.0.1:${port}/v1`, apiKey: 'key' })

  await assert.rejects(
    petstore.pets.create({ name: 'Rex', categoryId: 1 }),
    (error) => error instanceof ConnectionError && error.attempts === 1 && !error.mayHaveSucceeded,
  )
})
