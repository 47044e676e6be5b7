const maxRemembered = 4096
/** In characters. Longer questions are rare; an address may have four times as many. */
const maxLength = 1024

/**
 * Tells whether something was asked for before, so that only what is asked for again is cached: most pages of a large
 * shop are asked for once. Long questions are never remembered, so that all of them take little memory.
 */
export function askedBefore(): (question: string) => boolean {
  const questions = new Set<string>()
  return (question) => {
    if (question.length > maxLength) return false
    if (questions.has(question)) return true
    if (questions.size === maxRemembered) questions.clear()
    questions.add(question)
    return false
  }
}
