/** How many bytes of JSON a name may take: the service reads bodies of 64 KiB, and the other fields need some of it. */
const maxNameBytes = 65_000

interface NameSchema {
  minLength: number
  maxLength?: number
  pattern: string
}

interface NamedSchema {
  properties: { name: NameSchema }
}

/** The schemas of the service's OpenAPI document that say how a name may look. */
export interface Schemas {
  NewPet: NamedSchema
  /** Missing where categories are not offered. */
  NewCategory?: NamedSchema
}

/** Takes a text, and returns what is wrong with it, if anything is. */
export type Rule = (text: string) => string | undefined

export interface Rules {
  name: Rule
  categoryName: Rule
}

/** Checks for what is typed, made of the schemas in the service's own document, so that they are the same rules. */
export function rulesFrom({ NewPet, NewCategory = NewPet }: Schemas): Rules {
  return {
    name: nameRule('animal', NewPet.properties.name),
    categoryName: nameRule('category', NewCategory.properties.name),
  }
}

function nameRule(thing: string, { minLength, maxLength = Infinity, pattern }: NameSchema): Rule {
  const allowed = new RegExp(pattern, 'u')
  return (text) => {
    const { length } = Array.from(text)
    if (length < minLength) return `Give the ${thing} a name.`
    if (length > maxLength) return `That is ${length} characters; a name has at most ${maxLength}.`
    if (!text.isWellFormed()) return 'This text holds half a character, which cannot be kept.'
    if (new TextEncoder().encode(JSON.stringify(text)).length > maxNameBytes) return 'A name this long cannot be sent.'
    return allowed.test(text) ? undefined : 'A name is more than white space.'
  }
}
