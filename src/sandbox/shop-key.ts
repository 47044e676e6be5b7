import { keyHash } from '../inventory/key-secret.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { ReceivedRequest } from '../http/request/received-request.ts'
import type { RequestHeaders } from '../http/request/request-headers.ts'

/** The shop of the key that is printed. If it has bugs, it gets the requests without a valid key. */
export const firstShop = 'default'

const shopHeader = /^[Bb][Ee][Aa][Rr][Ee][Rr] +sandbox_([0-9A-Za-z_-]{1,64})$/

/** The name of the shop that the key of a request opens; undefined for any other key, or none. */
export function shopNameIn({ authorization, repeated }: RequestHeaders): string | undefined {
  if (authorization === undefined || repeated?.has('authorization') === true) return undefined
  return shopHeader.exec(authorization)?.[1]
}

const keyForm = /^sandbox_([0-9A-Za-z_-]{1,64})$/

/** The names in keys of shops that are where no key is looked for: in another scheme, or in the query. */
export function misplacedNames({ headers, target }: Pick<ReceivedRequest, 'headers' | 'target'>): string[] {
  const word = headers.repeated?.has('authorization') === true ? '' : (headers.authorization ?? '')
  const candidates = [word.slice(word.lastIndexOf(' ') + 1), new URLSearchParams(target.query).get('key') ?? '']
  return candidates.flatMap((text) => keyForm.exec(text)?.[1] ?? [])
}

export function keyOfShop(name: string): string {
  return `sandbox_${name}`
}

/** The key that opens a shop. It is not stored, so nothing can end it. */
export function ownKeyOf(name: string): { hash: string; key: ApiKey } {
  const secret = keyOfShop(name)
  return { hash: keyHash(secret), key: { id: secret, name: secret, permission: 'admin', createdAt: 0 } }
}
