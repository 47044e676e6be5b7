import type { Call } from './history.ts'

/** What a call says about one value: what it was, and what it becomes. Null: there is none. */
export interface Touch {
  /** Such as `category 7`. */
  of: string
  call: Call
  wants?: ((value: Value) => boolean) | undefined
  becomes?: Value
  /** The value that an answer of one moment has. */
  shows?: Value
}

export type Value = string | null

export const is = (wanted: Value) => (value: Value) => value === wanted
export const isThere = (value: Value) => value !== null
/** No value is right: the answer is not what was asked for. */
export const isWrong = () => false

export function showing(value: Value): Pick<Touch, 'wants' | 'shows'> {
  return { wants: is(value), shows: value }
}
