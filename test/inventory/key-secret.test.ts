import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { keyHash, keyPrefix, mayBeKey, newKeyId, newKeySecret } from '../../src/inventory/key-secret.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

for (const [environment, prefix] of [
  ['production', 'pet_live_'],
  ['staging', 'pet_test_'],
] as const) {
  test(`a key of ${environment} is ${prefix}, 32 characters and a checksum of 6`, () => {
    assert.match(newKeySecret(environment), new RegExp(`^${prefix}[0-9A-Za-z]{38}$`))
    assert.equal(keyPrefix(environment), prefix)
  })

  test(`a key of ${environment} may be a key there`, () => {
    for (let made = 0; made < 100; made++) assert.equal(mayBeKey(newKeySecret(environment), environment), true)
  })

  test(`a key of ${environment} cannot be a key of the other environment`, () => {
    const other = environment === 'production' ? 'staging' : 'production'

    assert.equal(mayBeKey(newKeySecret(environment), other), false)
  })
}

test('the checksum of a key is the CRC32 of the rest, in base 62', () => {
  const secret = newKeySecret('production')

  const value = Array.from(secret.slice(-6)).reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0)

  assert.equal(value, crc32(secret.slice(0, -6)))
})

test('a key with one character changed cannot be a key', () => {
  const secret = newKeySecret('production')

  for (let at = 'pet_live_'.length; at < secret.length; at++) {
    for (const other of base62.replace(secret.charAt(at), '')) {
      assert.equal(mayBeKey(secret.slice(0, at) + other + secret.slice(at + 1), 'production'), false)
    }
  }
})

test('a key with two neighbours swapped cannot be a key', () => {
  const secret = newKeySecret('production')

  for (let at = 'pet_live_'.length; at < secret.length - 1; at++) {
    const swapped = secret.slice(0, at) + secret.charAt(at + 1) + secret.charAt(at) + secret.slice(at + 2)
    assert.equal(mayBeKey(swapped, 'production'), swapped === secret)
  }
})

for (const [what, spoil] of Object.entries<(secret: string) => string>({
  'cut short': (secret) => secret.slice(0, -1),
  'cut down to its prefix': () => 'pet_live_',
  'too long': (secret) => `${secret}0`,
  'followed by a line break': (secret) => `${secret}\n`,
  'in other case': (secret) => `pet_live_${secret.slice(9).toLowerCase()}`,
})) {
  test(`a key ${what} cannot be a key`, () => {
    assert.equal(mayBeKey(spoil(newKeySecret('production')), 'production'), false)
  })
}

test('a secret of another form may be a key', () => {
  assert.equal(mayBeKey('a-key-the-operator-brought', 'production'), true)
})

test('keys are unique', () => {
  const secrets = Array.from({ length: 1_000 }, () => newKeySecret('production'))

  assert.equal(new Set(secrets).size, 1_000)
})

test('the random part of keys uses every character of base 62', () => {
  const text = Array.from({ length: 200 }, () => newKeySecret('production').slice(9, 41)).join('')

  assert.deepEqual([...new Set(text)].toSorted(), Array.from(base62).toSorted())
})

test('keyHash is the SHA-256 of the key', () => {
  const secret = newKeySecret('production')

  assert.equal(keyHash(secret), createHash('sha256').update(secret).digest('base64url'))
})

test('the id of a key is unique and not part of the key', () => {
  const ids = Array.from({ length: 1_000 }, newKeyId)

  for (const id of ids) assert.match(id, /^key_[0-9A-Za-z]{12}$/)
  assert.equal(new Set(ids).size, 1_000)
})
