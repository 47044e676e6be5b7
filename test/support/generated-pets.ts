import * as fc from 'fast-check'

const moreRuns = process.env['PETSTORE_PROPERTY_RUNS']

/**
 * `npm test` tries the same cases every time, `npm run test:properties` more, and others each time. A failure prints the
 * seed and the path to the smallest case that fails.
 */
export const runs =
  moreRuns === undefined
    ? { seed: 20301205, numRuns: 100 }
    : { seed: Math.floor(Math.random() * 2 ** 31), numRuns: Number(moreRuns) }

/** Every character of ASCII that has a shape. */
export const visible = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)).join('')

export const statuses = ['available', 'pending', 'sold'] as const

export const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer().map(BigInt),
  fc.constantFrom(0n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)),
)

/** Any text that is well-formed, from ASCII to the last code point. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5000 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({ unit: 'binary-ascii' }),
)

export const name = anyText.filter((text) => /[^\p{White_Space}\ufeff]/u.test(text) && !text.includes('\0'))

export const newPet = fc.record(
  { name, categoryId: int64, status: fc.constantFrom(...statuses) },
  { requiredKeys: ['name', 'categoryId'] },
)
export type GivenPet = { name: string; categoryId: bigint; status?: string }

export interface WirePet {
  id: string
  name: string
  categoryId: string
  status?: string
}

/** The body for an animal, its categoryId with all digits. */
export function encode({ name, categoryId, status }: GivenPet): string {
  const tail = status === undefined ? '' : `,"status":"${status}"`
  return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${tail}}`
}

/** What `exactly` makes of the animal's wire form. */
export function wire({ name, categoryId, status }: GivenPet, id: number): WirePet {
  return { id: String(id), name, categoryId: String(categoryId), ...(status !== undefined && { status }) }
}

/** JSON with every number as the text that it was written with. */
export function exactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? context?.source : value,
  )
}

export function oneOf(characters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...characters.split(''))
}
