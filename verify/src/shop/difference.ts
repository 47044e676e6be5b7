/** In characters: of longer texts, nobody sees where they differ. */
const easyLength = 40

/** Where a text that came differs from the one that was expected, if it is hard to see: they look alike, or are long. */
export function differenceOf(expected: string, came: string): string | undefined {
  const [wanted, found] = [Array.from(expected), Array.from(came)]
  const at = wanted.findIndex((character, index) => character !== found[index])
  const place = at === -1 ? wanted.length : at
  if (place === wanted.length && place === found.length) return undefined
  const isPlain = [wanted[place], found[place]].every((one) => one === undefined || /^[\x21-\x7e]$/.test(one))
  if (isPlain && wanted.length <= easyLength && found.length <= easyLength) return undefined
  return `the name differs at character ${place + 1}: ${codeOf(found[place])}, not ${codeOf(wanted[place])}`
}

function codeOf(character: string | undefined): string {
  const code = character?.codePointAt(0)
  return code === undefined ? 'its end' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
