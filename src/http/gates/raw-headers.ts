/**
 * Whether a header was sent more than once. Node keeps the first of two `Authorization` or `Host` headers and drops the
 * other, silently: a proxy in front might have looked at that one.
 */
export function isRepeated(rawHeaders: readonly string[], lowerCaseName: string): boolean {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    // By length first: most headers are another one.
    if (name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) seen++
  }
  return seen > 1
}
