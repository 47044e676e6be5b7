import type { Precondition } from '../../inventory/precondition.ts'

// Pieces of SQL that several writes are made of. Each names the rows that it works on.

/** The wire form of the animal in `row`, byte for byte what encodePet makes. */
export function petJson(row: string): string {
  return (
    `'{"id":' || ${row}.id || ',"name":' || to_json(${row}.name)::text || ',"categoryId":' || ${row}.category_id || ` +
    `coalesce(',"status":"' || ${row}.status || '"', '') || '}'`
  )
}

/** The wire form of the order in `row`, byte for byte what encodeOrder makes. */
export function orderJson(row: string): string {
  const time = (at: string) =>
    `to_char(timestamp 'epoch' + ${row}.${at} * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return (
    `'{"id":' || ${row}.id || ',"petId":' || ${row}.pet_id || ',"status":"' || ${row}.status || ` +
    `'","placedAt":"' || ${time('placed_at')} || '","updatedAt":"' || ${time('updated_at')} || '"}'`
  )
}

/** The wire form of the category in `row`, byte for byte what encodeCategory makes. */
export function categoryJson(row: string): string {
  return `'{"id":' || ${row}.id || ',"name":' || to_json(${row}.name)::text || '}'`
}

/** A precondition as two parameters of a statement: If-Match, then If-None-Match. */
export function preconditionValues({ match, noneMatch }: Precondition = {}): unknown[] {
  return [match ?? null, noneMatch ?? null]
}

/**
 * Whether the precondition in the parameters `first` and the next does not hold for the row in `before`, a query for one
 * row or none, of which `json` is the wire form.
 */
export function isUnmet(first: number, before: string, json: string): string {
  // Base64url, as entityTag has it: it differs from base64 in two characters, and the filling is left out.
  const tag = `'"' || translate(encode(sha256(convert_to(${json}, 'UTF8')), 'base64'), '+/=', '-_') || '"'`
  const isOneOf = (tags: string) =>
    `EXISTS (SELECT 1 FROM ${before} WHERE '*' = ANY (${tags}::text[]) OR ${tag} = ANY (${tags}::text[]))`
  const [match, noneMatch] = [`$${first}`, `$${first + 1}`]
  return `${match}::text[] IS NOT NULL AND NOT ${isOneOf(match)} OR ${noneMatch}::text[] IS NOT NULL AND ${isOneOf(noneMatch)}`
}
