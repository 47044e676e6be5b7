import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../src/inventory/errors.ts'
import { hasWords, nameKey, searchWords, wordsOf } from '../../src/inventory/name-words.ts'

const long = '🐕x'.repeat(80).replaceAll('🐕', '𝒙')

for (const [name, ...words] of [
  ['Rex', 'rex'],
  ['Zoë Émile', 'zoe', 'emile'],
  ['Zoe\u0308', 'zoe'],
  ["O'Neill-Smith, 3rd", 'o', 'neill', 'smith', '3rd'],
  ['ﬁdo №５ Ⅳ', 'fido', 'no5', 'iv'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['Straße', 'straße'],
  ['ポチ', 'ホチ'],
  ['Ёлка', 'елка'],
  ['🐕 !'],
  ['a\0b', 'a', 'b'],
  [long, 'x'.repeat(100)],
] as const) {
  test(`the words of ${JSON.stringify(name.slice(0, 30))} are ${words.join(', ').slice(0, 30) || 'none'}`, () => {
    assert.deepEqual(wordsOf(name), words)
  })
}

test('a name has the words of a search if each is the beginning of one of its words', () => {
  const search = (text: string) => hasWords('Zoë the Brave', searchWords(text))

  assert.deepEqual(['zo', 'ZOË', 'brave zoe', 'the, t', 'b z t'].map(search), [true, true, true, true, true])
  assert.deepEqual(['oe', 'zoet', 'brave rex', 'raves'].map(search), [false, false, false, false])
})

test('a beginning in capitals finds a longer word, also where the lower case depends on the place', () => {
  assert.ok(hasWords('ΟΔΟΣΑ', searchWords('ΟΔΟΣ')))
})

test('a search without a word is refused', () => {
  for (const text of ['!!', ' ', '🐕', 'ͺ']) {
    assert.throws(
      () => searchWords(text),
      new PetStoreError('invalid_parameter', 'name must have a letter or a digit.'),
    )
  }
})

test('a sort by name compares 64 characters of the words', () => {
  assert.equal(nameKey('  Zoë,  the 2nd!'), 'zoe the 2nd')
  assert.equal(nameKey(`${'𐐀'.repeat(63)}xyz`), `${'𐐨'.repeat(63)}x`)
})
