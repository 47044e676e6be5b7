import { idempotencyKeyForm, idempotencyKeyWords } from './idempotency-key.ts'
import { Int64, Type } from './schema.ts'

export const defaultLimit = 20

/** The page size of a list. */
export function limitOf(things: string) {
  return Type.Integer({
    minimum: 1,
    maximum: 100,
    default: defaultLimit,
    description: `Maximum number of ${things} returned.`,
    examples: [20],
  })
}

/**
 * In a stable operation it is an addition to the contract and marked as such. It has no example: only the page before has
 * a valid one.
 */
export function cursor(
  stability?: 'beta',
  maxLength = 64,
  source = 'take it from the `Link` header of the page before',
) {
  return Type.Optional(
    Type.String({
      ...(stability !== undefined && { 'x-stability': stability }),
      minLength: 1,
      maxLength,
      description: `Where the page starts. Opaque: ${source}.`,
    }),
  )
}

/** The orders of a list that goes by id. */
export type IdSort = 'id' | '-id'

/** In which order a list goes; `-` is the other way round. */
export function sort<Sort extends string>(
  values: readonly Sort[],
  description: string,
  stability?: 'beta' | 'experimental',
) {
  return Type.Optional(
    Type.Unsafe<Sort>({
      type: 'string',
      enum: values,
      ...(stability !== undefined && { 'x-stability': stability }),
      description,
      examples: [values[1] ?? values[0]],
    }),
  )
}

export const newestFirst = 'The order of the list: `id`, which is the default, or `-id`, the newest first.'

/** Finds by the words of a name. */
export function nameFilter(things: string, example: string, stability?: 'beta') {
  const remark = ' Only the words of the first 1,000 characters of the name count.'
  return wordFilter({ things, text: 'name', example, ...(stability && { stability }), remark })
}

/** For the lists with that filter. */
export const shortSearches =
  'A search by `name` has a bounded cost: its page may be short, or empty, and yet have a next one. Follow the links to ' +
  'the end.'

interface WordFilter {
  things: string
  /** What is compared. */
  text: string
  example: string
  stability?: 'beta' | 'experimental'
  remark?: string
}

/** Finds by the words of a text. What it compares is in inventory/name-words.ts. */
export function wordFilter({ things, text, example, stability, remark = '' }: WordFilter) {
  return Type.Optional(
    Type.String({
      ...(stability !== undefined && { 'x-stability': stability }),
      minLength: 1,
      maxLength: 100,
      description:
        `Returns only ${things} whose ${text} has these words: every word of the text is the beginning of a word of the ${text}, ` +
        'without regard to case and accents. Words are runs of letters and digits, compared by their first 100 characters; ' +
        `a text without a word is refused.${remark}`,
      examples: [example],
    }),
  )
}

/** The example is an id of the sandbox's demo shop. */
export function id(description: string, example = 1) {
  return Type.Unsafe<bigint>({ ...Int64, description, examples: [example] })
}

/** For an id that no shop has before somebody makes it, or that excludes another parameter with an example. */
export function idWithoutExample(description: string) {
  return Type.Unsafe<bigint>({ ...Int64, description })
}

/** Identifies a write, so that it can be repeated safely. The examples of two operations differ, as their keys must. */
export function idempotencyKey(what: string, stability?: 'beta') {
  return Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({
        ...(stability !== undefined && { 'x-stability': stability }),
        minLength: 1,
        ...idempotencyKeyForm,
        description: `A key of ${idempotencyKeyWords}, that names this attempt to ${what}.`,
        examples: [`"${what.replaceAll(' ', '-')}-8e03978e"`],
      }),
    ),
  })
}

/** The preferences of every operation and those of some, each with its effect. */
export function prefer(others: Readonly<Record<string, string>> = {}) {
  const preferences = {
    'handling=strict': 'refuses unknown query parameters and members of the body, which are otherwise ignored',
    ...others,
  }
  const described = Object.entries(preferences).map(([preference, effect]) => `\`${preference}\` ${effect}.`)
  return Type.Object({
    Prefer: Type.Optional(
      Type.String({
        'x-stability': 'beta',
        description: `What the client prefers (RFC 7240). ${described.join(' ')} \`Preference-Applied\` names the preferences that were applied.`,
        examples: [Object.keys(preferences).at(-1)],
      }),
    ),
  })
}

/** The preconditions of a write to a resource, such as "animal". They have no examples: entity tags come from responses. */
export function preconditions(resource: string) {
  return Type.Object({
    'If-Match': Type.Optional(
      Type.String({
        description:
          `The \`ETag\` of the ${resource} as it was read, or several, or \`*\`: if it has none of these now, nothing is ` +
          'changed and the response is 412.',
      }),
    ),
    'If-None-Match': Type.Optional(
      Type.String({
        description: `Entity tags, or \`*\` for any: if the ${resource} has one of these now, nothing is changed and the response is 412.`,
      }),
    ),
  })
}
