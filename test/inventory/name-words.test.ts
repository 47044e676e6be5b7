import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../src/inventory/errors.ts'
import { hasWords, indexedWords, nameKey, searchWords, wordsOf } from '../../src/inventory/name-words.ts'
import { assertCpuRatio } from '../support/cpu-cost.ts'

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
      new PetStoreError('invalid_parameter', 'name must have a letter or a digit.', { fields: ['name'] }),
    )
  }
})

test('a sort by name compares 64 characters of the words', () => {
  assert.equal(nameKey('  Zoë,  the 2nd!'), 'zoe the 2nd')
  assert.equal(nameKey(`${'𐐀'.repeat(63)}xyz`), `${'𐐨'.repeat(63)}x`)
})

test('only the first 1,000 characters of a name are searched', () => {
  assert.deepEqual(wordsOf(`${' '.repeat(996)}last word`), ['last'])
  assert.deepEqual(wordsOf(`${'𝒙'.repeat(99)} `.repeat(10) + 'y'), Array(10).fill('x'.repeat(99)))
})

test('a pair of surrogates at the end of what is searched stays whole', () => {
  assert.deepEqual(wordsOf(`${'!'.repeat(999)}𐐀𐐀`), ['𐐨'])
  assert.deepEqual(wordsOf(`é${'!'.repeat(997)}x𐐀𐐀`), ['e', 'x𐐨'])
})

test('a Korean name of 1,000 characters is searched to its end, though each becomes three', () => {
  assert.ok(hasWords(`${'힣'.repeat(50)} `.repeat(19) + '각각각', searchWords('각각각')))
})

test('a name that decomposes to many words has at most 4,000 characters of words', () => {
  const name = '\ufdfa'.repeat(1_000)

  assert.ok(indexedWords(name).length <= 4_000)
  assert.ok(hasWords(name, searchWords('\ufdfa')))
})

test('marks between letters do not change the words, in any order and number', () => {
  for (const marks of ['\u0323\u0301', '\u0301\u0323'.repeat(400), '\u0315\u0301\u0334', '\uff9e\uff9f']) {
    assert.deepEqual(wordsOf(`Ze${marks}bra ê${marks}`), ['zebra', 'e'])
  }
})

for (const [content, unit] of [
  ['alternating marks', '\u0301\u0323'],
  ['letters with marks', 'ộ\u0301\u0323'],
  ['sound marks that decompose to marks', '\uff9e\uff9f'],
  ['ligatures that decompose to words', '\ufdfa'],
  ['words of one letter', 'é b '],
] as const) {
  test(`the words of ${content} cost no more in a name of 64 KB than in 1,000 characters`, async () => {
    const fold = (length: number) => () => {
      const name = unit.repeat(length / unit.length)
      for (let times = 0; times < 5; times++) wordsOf(name)
    }

    await assertCpuRatio({ small: fold(1_200), large: fold(32_400) }, 5)
  })
}
