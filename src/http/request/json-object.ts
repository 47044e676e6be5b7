import { isUtf8 } from 'node:buffer'
import { LoneSurrogate, parseJson } from '../../contract/json.ts'
import { PetStoreError } from '../../inventory/errors.ts'

/** Parses a body: one JSON object in strict UTF-8, with or without a byte order mark. */
export function parseObject(bytes: Buffer | undefined): object {
  if (bytes === undefined || bytes.length === 0) throw invalid('The body is missing: send one JSON object.')
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8: send one JSON object in UTF-8.')
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let value: unknown
  try {
    value = parseJson(bytes.toString('utf8', start))
  } catch (error) {
    throw invalid(error instanceof LoneSurrogate ? error.message : 'The body is not valid JSON: send one JSON object.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('The body must be a JSON object, not another JSON value.')
  return value
}

function invalid(message: string): PetStoreError {
  return new PetStoreError('invalid_body', message, { fields: [] })
}
