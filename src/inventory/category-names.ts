import { hash } from 'node:crypto'
import { withoutAccents } from './name-words.ts'

/** Of 132 bits each: two names with the same digest are never met. */
const digestLength = 22

/**
 * What engines store of the name of a category, to find it by: the beginning is the same for all names that differ only
 * in case and accents, the rest identifies the name itself. ASCII, and of one length, so that any engine can index it.
 */
export function nameKeyOf(name: string): string {
  return `${foldedKeyOf(name)}${digestOf(name)}`
}

/** The beginning of the keys of all names that differ from this one only in case and accents. */
export function foldedKeyOf(name: string): string {
  return digestOf(withoutAccents(name))
}

/** Sorted after every character of a key. */
export const afterKeys = '~'

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, digestLength)
}

/** Which category a name stands for. */
export type CategoryMatch = bigint | 'missing' | 'ambiguous'

/** The ids of at most two categories of exactly this name, and of at most two that differ only in case and accents. */
export function matchOf(exact: readonly bigint[], similar: readonly bigint[]): CategoryMatch {
  const [id, other] = exact.length > 0 ? exact : similar
  if (id === undefined) return 'missing'
  return other === undefined ? id : 'ambiguous'
}
