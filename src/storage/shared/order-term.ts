import { indexedWords, keyOfWords } from '../../inventory/name-words.ts'

/**
 * The word of an index of words that stands for a name in the order of names. It begins with a character that no other word has.
 * That is also between its words, and is below letters and digits, as a space is: so the order is that of the keys.
 */
export function orderTerm(key: string): string {
  return `!${key.replaceAll(' ', '!')}`
}

/** The key of such a word. */
export function keyOfTerm(term: string): string {
  return term.slice(1).replaceAll('!', ' ')
}

/** What such an index has of a name: its words, and one for the order of names. */
export function indexedText(name: string): string {
  const words = indexedWords(name)
  return `${words} ${orderTerm(keyOfWords(words))}`
}
