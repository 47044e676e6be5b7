import { PetStoreError } from './errors.ts'

/**
 * In characters (code points): a word is compared by its beginning. An engine need not index more, and PostgreSQL
 * indexes at most 2 KB of a word.
 */
const maxWordLength = 100

/** In characters. A cursor cannot hold names of any length. */
export const keyLength = 64

/** In characters: the rest of a name is neither searched nor sorted by. */
export const maxComparedLength = 1_000

/** In characters of the decomposed text: one character can decompose to 18, a Korean syllable to 3. */
const maxDecomposedLength = 4 * maxComparedLength

/**
 * The words of a name, in order: runs of letters and digits, in lower case, without accents (compatibility
 * decomposition, marks removed). Find and sort compare names by these alone, on every engine. Only the first 1,000
 * characters of the name count, so a name of any length and content costs less than 1 ms.
 */
export function wordsOf(name: string): string[] {
  const text = folded(name)
  return (text.match(isAscii(text) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []).map(cutWord)
}

/**
 * The first 1,000 characters of a name in lower case, without accents. Other marks are kept, because they make another
 * word: the vowels of Hindi, the voiced sounds of Japanese.
 */
export function withoutAccents(name: string): string {
  const compared = cut(name, maxComparedLength)
  if (isAscii(compared)) return compared.toLowerCase()
  return lowerCase(compared.normalize('NFKD').replace(accents, '$1'))
}

/** With the letter before them. The last character asks for an emoji in colour. */
const accents = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{M}+|\ufe0f/gu

/** The first 1,000 characters of a name in lower case, without marks. */
function folded(name: string): string {
  const compared = cut(name, maxComparedLength)
  if (isAscii(compared)) return compared.toLowerCase()
  // Marks are removed before as well: normalize sorts a run of them, in quadratic time. The result is the same, because
  // it sorts nothing else.
  const decomposed = cut(withoutMarks(compared).normalize('NFKD'), maxDecomposedLength)
  return lowerCase(withoutMarks(decomposed))
}

/** Lower case has two forms of sigma, by its place in the word, which a beginning does not know. */
function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** What engines store of a name: its words, with a space between them. */
export function indexedWords(name: string): string {
  return wordsOf(name).join(' ')
}

/** Compared characters that cost about as much to store as a pet with a short name. */
const charactersPerPet = 50

/**
 * What it costs to store the words of a name, as a multiple of what a pet with a short name costs: at most 20. It bounds
 * batches and groups of writes, and so the time that other writers wait.
 */
export function indexCost(name: string): number {
  return Math.floor(Math.min(name.length, maxComparedLength) / charactersPerPet)
}

/** The words of a search. Rejects a text without a word as `invalid_parameter`. */
export function searchWords(text: string, parameter = 'name'): string[] {
  const words = new Set(wordsOf(text))
  if (words.size === 0) {
    throw new PetStoreError('invalid_parameter', `${parameter} must have a letter or a digit.`, { fields: [parameter] })
  }
  return [...words]
}

/** Whether each of `beginnings`, which are words of a search, is the beginning of a word of the name. */
export function hasWords(name: string, beginnings: readonly string[]): boolean {
  // Most names that a search compares lack a word. Of a short name in ASCII that is seen without its words.
  if (name.length <= maxComparedLength && isAscii(name)) {
    const lower = name.toLowerCase()
    if (!beginnings.every((beginning) => lower.includes(beginning))) return false
  }
  const words = wordsOf(name)
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)))
}

/**
 * What a sort by name compares, byte by byte in UTF-8, which is the order of the code points: the beginning of the
 * words of the name.
 */
export function nameKey(name: string): string {
  return keyOfWords(indexedWords(name))
}

/** Whether a name can have this key, by its characters. A key from outside is asked of an index only if it can. */
export function canBeNameKey(key: string): boolean {
  return key.length <= 2 * keyLength && /^[\p{L}\p{N} ]*$/u.test(key)
}

/** The same of `indexedWords`. */
export function keyOfWords(words: string): string {
  return cut(words, keyLength)
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

function withoutMarks(text: string): string {
  return text.replace(/\p{M}+/gu, '')
}

function cutWord(word: string): string {
  return cut(word, maxWordLength)
}

/** The first characters of the text: whole ones, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('')
}
