/** The condition that a pet has the words of a search, as the index `pets_by_words` knows it. */
export function hasTheWords(parameter: string): string {
  return `words IS NOT NULL AND words::tsvector @@ ${parameter}::text::tsquery`
}
