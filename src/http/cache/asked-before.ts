import { crc32 } from 'node:zlib'

/** A power of two. */
const slots = 4096

/**
 * Tells whether something was asked for before, so that only what is asked for again is cached: most pages of a large
 * shop are asked for once. Remembers a hash of each question until another one takes its slot. Two questions with one
 * hash are taken for one; then a response is cached early, which does no harm.
 */
export function askedBefore(): (question: string) => boolean {
  const hashes = new Uint32Array(slots)
  return (question) => {
    const hash = crc32(question)
    const slot = hash & (slots - 1)
    if (hashes[slot] === hash) return true
    hashes[slot] = hash
    return false
  }
}
