/** One operation between two moments. If it is a maybe, it may also never have happened, and `returned` is Infinity. */
export interface Span<Operation> {
  operation: Operation
  invoked: number
  returned: number
  isMaybe: boolean
}

export interface Model<State, Operation> {
  initial: State
  /** The state after the operation, or undefined if its answer does not fit this state. */
  step(state: State, operation: Operation): State | undefined
  /** The same text for the same state. */
  keyOf(state: State): string
  /**
   * Each operation replaces the whole state or leaves it. Then a maybe is needed only right before an operation that is
   * not possible without it, which keeps the search short however many there are.
   */
  isRegister?: boolean
}

/**
 * An order of the operations in which each answer is right, and which keeps the order in time of those that did not
 * overlap; undefined if there is none. The search of Wing and Gong; as Lowe does, it remembers which operations were
 * taken in which state.
 */
export function linearize<State, Operation>(
  spans: readonly Span<Operation>[],
  { initial, step, keyOf, isRegister = false }: Model<State, Operation>,
): Span<Operation>[] | undefined {
  const sorted = spans.toSorted((a, b) => a.invoked - b.invoked)
  const isTaken = sorted.map(() => false)
  const order: Span<Operation>[] = []
  const seen = new Set<string>()
  let missing = sorted.filter(({ isMaybe }) => !isMaybe).length

  /** Those that began before any other that is left has returned. */
  function candidates(): number[] {
    const found: number[] = []
    let firstReturn = Infinity
    for (const [index, { invoked, returned }] of sorted.entries()) {
      if (isTaken[index]) continue
      if (invoked > firstReturn) break
      found.push(index)
      firstReturn = Math.min(firstReturn, returned)
    }
    const isMaybe = (index: number) => Number(sorted[index]?.isMaybe)
    // What is certain first: of the others, few are needed.
    return found
      .filter((index) => (sorted[index] as Span<Operation>).invoked < firstReturn)
      .toSorted((a, b) => isMaybe(a) - isMaybe(b))
  }

  /** `before` is the state before a maybe that was taken last. */
  function search(state: State, before?: State): boolean {
    if (missing === 0) return true
    const seenKey = `${isTaken.map(Number).join('')} ${keyOf(state)} ${before === undefined ? '' : keyOf(before)}`
    if (seen.has(seenKey)) return false
    seen.add(seenKey)
    for (const index of candidates()) {
      const span = sorted[index] as Span<Operation>
      const next = step(state, span.operation)
      if (next === undefined) continue
      if (before !== undefined && step(before, span.operation) !== undefined) continue
      isTaken[index] = true
      order.push(span)
      if (!span.isMaybe) missing--
      if (search(next, isRegister && span.isMaybe ? state : undefined)) return true
      if (!span.isMaybe) missing++
      order.pop()
      isTaken[index] = false
    }
    return false
  }

  return search(initial) ? order : undefined
}
