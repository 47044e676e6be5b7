import { linearize, type Model, type Span } from './linearizable.ts'

/**
 * The smallest part of a history that has no order: it ends as early as it can, and has no read that it does not need.
 * Writes stay: without one of them, right answers would look wrong.
 */
export function smallest<State, Operation, Part extends Span<Operation>>(
  spans: readonly Part[],
  model: Model<State, Operation>,
  isRead: (span: Part) => boolean,
): Part[] {
  const isWrong = (part: readonly Part[]) => linearize(part, model) === undefined
  const ends = spans.map(({ returned }) => returned).filter(Number.isFinite)
  const end = ends.toSorted((a, b) => a - b).find((moment) => isWrong(until(moment)))
  let shown = end === undefined ? [...spans] : until(end)
  for (const read of shown.filter(isRead)) {
    const without = shown.filter((span) => span !== read)
    if (isWrong(without)) shown = without
  }
  return shown

  /** What had begun at a moment. A write that had not ended is unknown; such a read has no answer yet. */
  function until(moment: number): Part[] {
    return spans
      .filter((span) => span.invoked <= moment && (span.returned <= moment || !isRead(span)))
      .map((span) => (span.returned <= moment ? span : { ...span, returned: Infinity, isMaybe: true }))
  }
}
