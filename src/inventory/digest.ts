import { hash } from 'node:crypto'

/** Tells one wire form from another: an `ETag` is made of it, and a change that expects what was seen compares it. */
export function digest(wireForm: string): string {
  return hash('sha1', wireForm, 'base64url')
}
