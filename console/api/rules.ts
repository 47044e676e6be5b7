/** The maximum JSON size of a text: the service accepts bodies of 64 KiB, and the other fields need some of it. */
const maxTextBytes = 65_000

interface TextSchema {
  minLength: number
  maxLength?: number
  pattern: string
}

interface NamedSchema {
  properties: { name: TextSchema }
}

/** The schemas of the OpenAPI document with the rules for texts. */
export interface Schemas {
  NewPet: NamedSchema
  /** Missing if the service does not offer categories. */
  NewCategory?: NamedSchema
  /** Missing if the service does not offer orders. */
  NewOrder?: { properties: { customer: TextSchema; note: TextSchema } }
  /** Missing if the service does not offer keys. */
  NewKey?: NamedSchema
  /** Only in a sandbox. */
  FaultRule?: { properties: { fault: { enum: readonly (string | number)[] } } }
}

/** Returns what is wrong with a text, if anything. */
export type Rule = (text: string) => string | undefined

export interface Rules {
  name: Rule
  categoryName: Rule
  customer: Rule
  note: Rule
  keyName: Rule
}

/** Validation of input, made from the schemas of the service, so that the rules are the same. */
export function rulesFrom({ NewPet, NewCategory = NewPet, NewOrder, NewKey = NewPet }: Schemas): Rules {
  const { customer = NewPet.properties.name, note = NewPet.properties.name } = NewOrder?.properties ?? {}
  return {
    name: textRule('name', NewPet.properties.name, 'Give the animal a name.'),
    categoryName: textRule('name', NewCategory.properties.name, 'Give the category a name.'),
    customer: textRule('customer', customer),
    note: textRule('note', note),
    keyName: textRule('name', NewKey.properties.name, 'Say who the key is for.'),
  }
}

function textRule(noun: string, { minLength, maxLength = Infinity, pattern }: TextSchema, ifShort = ''): Rule {
  const allowed = new RegExp(pattern, 'u')
  return (text) => {
    const { length } = Array.from(text)
    if (length < minLength) return ifShort
    if (length > maxLength) return `That is ${length} characters; a ${noun} has at most ${maxLength}.`
    if (!text.isWellFormed()) return 'This text holds half a character, which cannot be kept.'
    if (new TextEncoder().encode(JSON.stringify(text)).length > maxTextBytes)
      return `A ${noun} this long cannot be sent.`
    return allowed.test(text) ? undefined : `A ${noun} is more than white space.`
  }
}
