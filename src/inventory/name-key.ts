/** In characters (code points). A cursor cannot hold names of any length. */
const keyLength = 64

/**
 * What a sort by name compares: the first characters of the name, A to Z in lower case, byte by byte in UTF-8, which is
 * the order of the code points. An engine may make the same key in SQL.
 */
export function nameKey(name: string): string {
  const start =
    name.length <= keyLength
      ? name
      : Array.from(name.slice(0, 2 * keyLength))
          .slice(0, keyLength)
          .join('')
  return start.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
