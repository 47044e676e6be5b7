import { indexedWords, keyOfWords } from '../../inventory/name-words.ts'

/**
 * The index word for the order of names: `!`, then the sort key with `!` for spaces. `!` sorts below letters and digits,
 * as a space does.
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
