/** A shop is the source of one of five pet stores with texts replaced. A right one keeps the contract, a wrong one does not. */
export interface Shop {
  /** A sentence about what it does. */
  name: string
  language: Language
  changes: readonly Change[]
}

export interface WrongShop extends Shop {
  kind: Kind
  /** The sentence of the contract that it breaks. */
  breaks: string
}

export const languages = ['python', 'ruby', 'php', 'go', 'node'] as const
export type Language = (typeof languages)[number]

/** `find` is in the source exactly once. */
export type Change = readonly [find: string, put: string]

export const kinds = [
  'animals',
  'concurrency',
  'creates',
  'durability',
  'errors',
  'http',
  'int64',
  'keys',
  'lists',
  'media types',
  'names',
  'refusals',
  'status lines',
] as const
export type Kind = (typeof kinds)[number]

export const wrongIn =
  (language: Language) =>
  (kind: Kind, name: string, breaks: string, ...changes: Change[]): WrongShop => ({
    name: `${language}: ${name}`,
    language,
    kind,
    breaks,
    changes,
  })

export const rightIn =
  (language: Language) =>
  (name: string, ...changes: Change[]): Shop => ({ name: `${language}: ${name}`, language, changes })

/** The text after the changes. */
export function changed(source: string, { name, changes }: Shop): string {
  return changes.reduce((text, [find, put]) => {
    const [before, after, ...more] = text.split(find)
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`${name}: this text is not exactly once in the source: ${find}`)
    }
    return before + put + after
  }, source)
}
