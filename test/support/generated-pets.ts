import * as fc from 'fast-check'

const moreRuns = process.env['PETSTORE_PROPERTY_RUNS']

/**
 * `npm test` runs the same cases every time, `npm run test:properties` more and different ones. A failure prints the
 * seed and the path to the smallest failing case.
 */
export const runs =
  moreRuns === undefined
    ? { seed: 20301205, numRuns: 100 }
    : { seed: Math.floor(Math.random() * 2 ** 31), numRuns: Number(moreRuns) }

/** Every visible ASCII character. */
export const visible = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)).join('')

export const statuses = ['available', 'pending', 'sold'] as const

export const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer().map(BigInt),
  fc.constantFrom(0n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)),
)

/** Any well-formed text, from ASCII to the last code point. */
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

/** The request body of an animal, with all digits of its categoryId. */
export function encode({ name, categoryId, status }: GivenPet): string {
  const tail = status === undefined ? '' : `,"status":"${status}"`
  return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${tail}}`
}

/** The result of `exactly` for the animal's JSON. */
export function wire({ name, categoryId, status }: GivenPet, id: number): WirePet {
  return { id: String(id), name, categoryId: String(categoryId), ...(status !== undefined && { status }) }
}

/** Parses JSON with every number as its source text. */
export function exactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? context?.source : value,
  )
}

export function oneOf(characters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...characters.split(''))
}
