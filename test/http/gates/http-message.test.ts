import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseInvalidMessage } from '../../../src/http/gates/http-message.ts'
import { PetStoreError } from '../../../src/inventory/errors.ts'
import { makeExchange } from '../../support/exchange.ts'

const host = ['Host', 'petstore']
const path = '/v1/pets'

/** The code of the refusal. */
function refusalOf(made: Parameters<typeof makeExchange>[0]): string | undefined {
  try {
    refuseInvalidMessage(makeExchange({ url: path, rawHeaders: host, ...made }))
    return undefined
  } catch (error) {
    assert.ok(error instanceof PetStoreError, String(error))
    return error.code
  }
}

for (const [name, made, code] of [
  ['a plain request', {}, undefined],
  ['HTTP/1.0', { httpVersion: '1.0' }, undefined],
  ['HTTP/1.0 without a Host', { httpVersion: '1.0', rawHeaders: [] }, undefined],
  ['HTTP/1.1 without a Host', { rawHeaders: [] }, 'invalid_request'],
  ['two Hosts', { rawHeaders: [...host, ...host] }, 'invalid_request'],
  ['two headers that are no Hosts', { rawHeaders: [...host, 'Accept', 'a', 'Accept', 'b'] }, undefined],
  ['two Hosts in HTTP/1.0', { httpVersion: '1.0', rawHeaders: [...host, ...host] }, 'invalid_request'],
  ['an empty Host', { rawHeaders: ['Host', ''] }, undefined],
  ['a Host that is none', { rawHeaders: ['Host', 'a b'] }, 'invalid_request'],
  ['an absolute address', { url: 'http://other.example/v1/pets' }, undefined],
  ['an absolute address whose host is none', { url: 'http://other.example:x/v1/pets' }, 'invalid_request'],
  ['a malformed line', { hasMalformedLine: true }, 'invalid_request'],
  ['HTTP/0.9', { httpVersion: '0.9' }, 'invalid_request'],
  ['HTTP/2.0', { httpVersion: '2.0' }, 'invalid_request'],
  ['HTTP/2.1', { httpVersion: '2.1' }, 'invalid_request'],
  ['a fragment', { url: `${path}#a` }, 'invalid_request'],
  ['the address * with OPTIONS', { method: 'OPTIONS', url: '*' }, undefined],
  ['the address * with GET', { url: '*' }, 'invalid_request'],
  ['a path with OPTIONS', { method: 'OPTIONS' }, undefined],
  ['an address of 4 KiB', { url: path.padEnd(4_096, 'a') }, undefined],
  ['a longer address', { url: path.padEnd(4_097, 'a') }, 'uri_too_long'],
  ['chunks', { rawHeaders: [...host, 'Transfer-Encoding', 'chunked'] }, undefined],
  ['another coding', { rawHeaders: [...host, 'Transfer-Encoding', 'gzip, chunked'] }, 'invalid_request'],
  ['100-continue', { rawHeaders: [...host, 'Expect', '100-Continue'] }, undefined],
  ['another expectation', { rawHeaders: [...host, 'Expect', 'tea'] }, 'expectation_failed'],
] as const) {
  test(`the form of a message: ${name} ${code === undefined ? 'passes' : `is ${code}`}`, () => {
    assert.equal(refusalOf(made), code)
  })
}
