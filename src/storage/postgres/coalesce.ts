// What is asked for in one turn of the event loop is asked of the server together, at the end of that turn. All who share
// an answer asked before it was read, so nobody is told less than was true when they asked.

interface Waiting<Question, Answer> {
  question: Question
  resolve: (answer: Answer | PromiseLike<Answer>) => void
}

/** Makes one question of many: `ask` takes those of a turn and resolves to what tells the answer to each. */
export function batchReads<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<(question: Question) => Answer>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []

  function askAll(): void {
    const asking = waiting
    waiting = []
    const answers = ask(asking.map(({ question }) => question))
    for (const { question, resolve } of asking) resolve(answers.then((answerTo) => answerTo(question)))
  }

  return (question) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(askAll)
      waiting.push({ question, resolve })
    })
}

/** Asks once for all who ask the same, by its `name`, in one turn. They share the answer: nobody may change it. */
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
