import { randomInt } from 'node:crypto'

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** So many characters of digits and letters, which nobody can guess. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += base62.charAt(randomInt(62))
  return text
}
