const maxRemembered = 4096
/** In characters. Longer keys are rare; an address may have four times as many. */
const maxLength = 1024

/**
 * Returns whether a key was seen before, so that only what is requested again is cached: most pages of a large shop are
 * requested once. Long keys are never remembered, so that all of them take little memory.
 */
export function seenBefore(): (key: string) => boolean {
  const seen = new Set<string>()
  return (key) => {
    if (key.length > maxLength) return false
    if (seen.has(key)) return true
    if (seen.size === maxRemembered) seen.clear()
    seen.add(key)
    return false
  }
}
