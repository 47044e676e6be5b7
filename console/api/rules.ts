/** The maximum JSON size of a name: the service accepts bodies of 64 KiB, and the other fields need some of it. */
const maxNameBytes = 65_000

interface NameSchema {
  minLength: number
  maxLength?: number
  pattern: string
}

interface NamedSchema {
  properties: { name: NameSchema }
}

/** The schemas of the OpenAPI document with the rules for names. */
export interface Schemas {
  NewPet: NamedSchema
  /** Missing if the service does not offer categories. */
  NewCategory?: NamedSchema
}

/** Returns what is wrong with a text, if anything. */
export type Rule = (text: string) => string | undefined

export interface Rules {
  name: Rule
  categoryName: Rule
}

/** Validation of input, made from the schemas of the service, so that the rules are the same. */
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
