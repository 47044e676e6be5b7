const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

/** How many bytes of JSON a name may take: the service reads bodies of 64 KiB, and the other fields need some of it. */
const maxNameBytes = 65_000

/**
 * Checks for what is typed, made of the schemas in the service's own document, so that they are the same rules. Each takes
 * a text and answers what is wrong with it, or undefined. A service that does not offer categories has no schema for them.
 */
export function rulesFrom({ NewPet, NewCategory = NewPet }) {
  return {
    name: nameRule('animal', NewPet.properties.name),
    categoryName: nameRule('category', NewCategory.properties.name),
    categoryId(text) {
      if (text === '') return 'Choose a category, or type its number.'
      return isInt64(text) ? undefined : `A category is a number from ${int64Min} to ${int64Max}.`
    },
  }
}

function nameRule(thing, { minLength, maxLength = Number.POSITIVE_INFINITY, pattern }) {
  const whole = new RegExp(pattern, 'u')
  return (text) => {
    const length = [...text].length
    if (length < minLength) return `Give the ${thing} a name.`
    if (length > maxLength) return `That is ${length} characters; a name has at most ${maxLength}.`
    if (!text.isWellFormed()) return 'This text holds half a character, which cannot be kept.'
    if (new TextEncoder().encode(JSON.stringify(text)).length > maxNameBytes) return 'A name this long cannot be sent.'
    return whole.test(text) ? undefined : 'A name is more than white space.'
  }
}

/** Whether a text is an integer of 64 bits as the service writes it. */
export function isInt64(text) {
  if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return false
  const value = BigInt(text)
  return value >= int64Min && value <= int64Max
}
