// Reads of one tick of the event loop are sent together at its end. Every caller asked before the read began, so the
// result is not stale for any of them.

interface Waiting<Question, Answer> {
  question: Question
  resolve: (answer: Answer | PromiseLike<Answer>) => void
}

/**
 * Combines the reads of one tick into one: `ask` takes them and resolves to a function that returns the result of each.
 */
export function batchReads<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<(question: Question) => Answer>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []

  function askAll(): void {
    const asking = waiting
    waiting = []
    const answers = ask(asking.map(({ question }) => question))
    for (const { question, resolve } of asking) resolve(answers.then((answerOf) => answerOf(question)))
  }

  return (question) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(askAll)
      waiting.push({ question, resolve })
    })
}

/**
 * Shares one read among all callers that ask for the same `name` in one tick. They share the result and must not change
 * it.
 */
export function shareReads<Answer>(): (name: string, ask: () => Promise<Answer>) => Promise<Answer> {
  let waiting = new Map<string, Promise<Answer>>()
  let begin: (() => void)[] = []

  function askAll(): void {
    const all = begin
    waiting = new Map()
    begin = []
    for (const each of all) each()
  }

  return (name, ask) => {
    const known = waiting.get(name)
    if (known !== undefined) return known
    if (begin.length === 0) setImmediate(askAll)
    const answer = new Promise<Answer>((resolve) => begin.push(() => resolve(ask())))
    waiting.set(name, answer)
    return answer
  }
}
