import { randomInt } from 'node:crypto'

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random digits and letters that cannot be guessed. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += base62.charAt(randomInt(62))
  return text
}
