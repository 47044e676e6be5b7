import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../contract/environment.ts'
import { base62, randomText } from './random-text.ts'

const shape = /^pet_(live|test)_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/

/**
 * A new key: `pet_live_` or `pet_test_`, 32 random characters (190 bits), and a checksum of 6 that lets anyone, a
 * secret scanner too, tell a key from a slip of the hand without asking the store.
 */
export function newKeySecret(environment: Environment): string {
  const body = keyPrefix(environment) + randomText(32)
  return body + checksum(body)
}

/** An identifier for a key that may be shown and logged. */
export function newKeyId(): string {
  return `key_${randomText(12)}`
}

/** What is stored and compared in place of the key. */
export function keyHash(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

export function keyPrefix(environment: Environment): string {
  return environment === 'production' ? 'pet_live_' : 'pet_test_'
}

/** False for a secret that claims to be one of ours and cannot be: mistyped, cut short, or of the other environment. */
export function mayBeKey(secret: string, environment: Environment): boolean {
  if (!secret.startsWith('pet_live_') && !secret.startsWith('pet_test_')) return true
  const parts = shape.exec(secret)
  return parts !== null && secret.startsWith(keyPrefix(environment)) && parts[2] === checksum(secret.slice(0, -6))
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
