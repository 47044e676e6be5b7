import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../contract/environment.ts'
import type { NewApiKey } from './keys.ts'
import { base62, randomText } from './random-text.ts'

const shape = /^pet_(live|test)_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/

/** A new key to store, and its secret, which only its user gets. */
export function newApiKey(
  environment: Environment,
  facts: Omit<NewApiKey, 'id' | 'hash'>,
): { secret: string; key: NewApiKey } {
  const secret = newKeySecret(environment)
  return { secret, key: { id: newKeyId(), hash: keyHash(secret), ...facts } }
}

/**
 * A new secret: `pet_live_` or `pet_test_`, 32 random characters (190 bits), and a checksum of 6, by which anyone, also
 * a secret scanner, can recognise a mistyped key.
 */
export function newKeySecret(environment: Environment): string {
  const body = keyPrefix(environment) + randomText(32)
  return body + checksum(body)
}

/** The id of a key, which may be shown and logged. */
export function newKeyId(): string {
  return `key_${randomText(12)}`
}

/** The hash that is stored and compared instead of the key. */
export function keyHash(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

export function keyPrefix(environment: Environment): string {
  return environment === 'production' ? 'pet_live_' : 'pet_test_'
}

/** False for a secret that looks like one of ours but cannot be: mistyped, truncated, or of the other environment. */
export function mayBeKey(secret: string, environment: Environment): boolean {
  if (!secret.startsWith('pet_live_') && !secret.startsWith('pet_test_')) return true
  const parts = shape.exec(secret)
  return parts !== null && secret.startsWith(keyPrefix(environment)) && parts[2] === checksum(secret.slice(0, -6))
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let digit = 0; digit < 6; digit++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
