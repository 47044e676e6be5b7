const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

/**
 * Checks for what is typed, made of the schemas in the service's own document, so that they are the same rules. Each takes
 * a text and answers what is wrong with it, or undefined.
 */
export function rulesFrom(schemas) {
  const { minLength, maxLength, pattern } = schemas.NewPet.properties.name
  const whole = new RegExp(pattern, 'u')
  return {
    name(text) {
      const length = [...text].length
      if (length < minLength) return 'Give the animal a name.'
      if (length > maxLength) return `That is ${length} characters; a name has at most ${maxLength}.`
      if (!text.isWellFormed()) return 'This text holds half a character, which cannot be kept.'
      return whole.test(text) ? undefined : 'A name is more than white space.'
    },
    categoryId(text) {
      if (text === '') return 'Choose a category, or type its number.'
      return isInt64(text) ? undefined : `A category is a number from ${int64Min} to ${int64Max}.`
    },
  }
}

/** Whether a text is an integer of 64 bits as the service writes it. */
export function isInt64(text) {
  if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return false
  const value = BigInt(text)
  return value >= int64Min && value <= int64Max
}
