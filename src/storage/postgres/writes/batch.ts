import type { Result, Statement } from '../connection/statement.ts'

/** Writes of one kind in a group: their statements, and the result of each. */
export interface Batch<Value> {
  statements: readonly (readonly [statement: Statement, values: readonly unknown[]])[]
  /** Maps the results of the statements to the value of each write, in order. */
  values(results: readonly Result[]): Value[]
}

/** A batch with one statement per write. */
export function oneByOne<Input, Value>(
  statement: Statement,
  valuesOf: (input: Input) => readonly unknown[],
  read: (result: Result) => Value,
): (inputs: readonly Input[]) => Batch<Value> {
  return (inputs) => ({
    statements: inputs.map((input) => [statement, valuesOf(input)]),
    values: (results) => results.map(read),
  })
}

export function changedAnything({ rowCount }: Result): boolean {
  return (rowCount ?? 0) > 0
}
