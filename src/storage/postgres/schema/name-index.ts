/** The condition that a pet has the words of a search, as the index `pets_by_words` knows it. */
export function matchesWordsSql(parameter: string): string {
  return `words::tsvector @@ ${parameter}::text::tsquery`
}

/** A search for beginnings of words. Words have nothing that needs an escape. */
export function searchOf(words: readonly string[]): string {
  return words.map((word) => `${word}:*`).join(' & ')
}

/** A pattern for words, after a space, that begin so. Words have nothing that needs an escape. */
export function beginningOf(word: string): string {
  return `% ${word}%`
}
