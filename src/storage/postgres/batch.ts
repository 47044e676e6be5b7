import type { Result, Statement } from './database.ts'

/** Writes of one kind that are in the same group: what they ask of the database together, and what each is told. */
export interface Batch<Value> {
  statements: readonly (readonly [statement: Statement, values: readonly unknown[]])[]
  /** From the results of the statements, in their order, the value for each write, in theirs. */
  values(results: readonly Result[]): Value[]
}

/** A batch of writes that have a statement each. */
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
