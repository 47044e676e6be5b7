const maxRemembered = 4096

/**
 * Tells whether something was asked for before, so that only what is asked for again is cached: most pages of a large
 * shop are asked for once.
 */
export function askedBefore(): (question: string) => boolean {
  const questions = new Set<string>()
  return (question) => {
    if (questions.has(question)) return true
    if (questions.size === maxRemembered) questions.clear()
    questions.add(question)
    return false
  }
}
