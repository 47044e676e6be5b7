import { PageRequestError } from '../api/failure.ts'

export const shopNameHint = 'Letters, digits, - and _, up to 64. Each name is a shop of its own.'

/** The key of the shop that a user named. The name may also be a key. Undefined if it is neither. */
export function keyOfShop(text: string): string | undefined {
  const name = text.trim().replace(/^sandbox_(?=.)/, '')
  if (/^pet_(?:live|test)_\w+$/.test(name)) return name
  return /^[0-9A-Za-z_-]{1,64}$/.test(name) ? `sandbox_${name}` : undefined
}

/** The code of a sign-in link is the name of a shop. */
export async function keyOfCode(code: string): Promise<string> {
  const key = keyOfShop(code)
  if (key === undefined) throw new PageRequestError('fault', `No shop can be called «${code}». ${shopNameHint}`)
  return key
}

/** A name that nobody else has. */
export function newShopName(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const random = crypto.getRandomValues(new Uint8Array(8))
  return `shop-${Array.from(random, (byte) => letters[byte % letters.length]).join('')}`
}
