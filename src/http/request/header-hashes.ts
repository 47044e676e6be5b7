import type { Environment } from '../../contract/environment.ts'
import { keyHash, mayBeKey } from '../../inventory/key-secret.ts'

const maxRemembered = 1_000
/** In characters. A client may send any number of spaces before its key. */
const maxLength = 200

/**
 * The hash of the key in an Authorization header; undefined if there can be no key in it. The last ones are remembered:
 * hashing takes longer than everything else that is done about a key.
 */
export function headerHashes(environment: Environment): (header: string) => string | undefined {
  const hashes = new Map<string, string>()

  return (header) => {
    const remembered = hashes.get(header)
    if (remembered !== undefined) return remembered
    const secret = /^bearer +([^ ]+)$/i.exec(header)?.[1]
    if (secret === undefined || !mayBeKey(secret, environment)) return undefined
    const hash = keyHash(secret)
    if (header.length > maxLength) return hash
    if (hashes.size === maxRemembered) hashes.clear()
    hashes.set(header, hash)
    return hash
  }
}
