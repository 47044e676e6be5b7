import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../../client/src/index.ts'
import { webhookFaults } from '../../../console/state/webhook-faults.ts'

const nothing = { url: '', description: '' }

function refused(fields: readonly string[], message = 'url must be right.'): PetStoreError {
  return new PetStoreError({ code: 'invalid_body', message, status: 400 }, {} as never, fields)
}

for (const [url, sentence] of [
  ['', /^Type an address, such as https:/],
  ['shop.example.com', /^This is no web address/],
  ['ftp://shop.example.com', /^This is no web address/],
  ['https://', /^This is no web address/],
  [`https://shop.example.com/${'a'.repeat(2_048)}`, /too long/],
  ['https://me:secret@shop.example.com', /no user name and no password/],
  ['https://shop.example.com/#hook', /nothing after a #/],
  ['http://a..b/', /^The address cannot be right/],
] as const) {
  test(`of the address “${url.slice(0, 40)}” people are told what is wrong`, () => {
    assert.match(webhookFaults(refused(['url']), { ...nothing, url }).address ?? '', sentence)
  })
}

test('an address that is not public is called so, and both fields say what is wrong with them', () => {
  const typed = { url: 'http://10.0.0.1/', description: 'x'.repeat(1_001) }

  assert.deepEqual(webhookFaults(refused(['url', 'description'], 'url must be a public address.'), typed), {
    address: 'The address must be a public one, not one of a private network.',
    description: 'This text is too long: it has at most 1,000 characters.',
  })
})

test('a failure that is about no field is not told at one', () => {
  assert.deepEqual(webhookFaults(new Error('url'), nothing), {})
})
