import type { Files } from '../../contract/operation.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Exchange, Route } from '../exchange.ts'
import { refusalOfRepeated } from '../request/request-headers.ts'

interface MediaType {
  /** For people. */
  words: string
  /** How most clients write it. */
  shortest: string
  form: RegExp
  /** The headers of a refusal. */
  hint?: Record<string, string>
}

const parameters = '\\s*(;\\s*charset\\s*=\\s*("utf-8"|utf-8)\\s*)?;?$'

/** The value of `Accept-Patch` (RFC 5789): the media types of a change. */
export const mergePatchTypes = 'application/merge-patch+json, application/json'

const json: MediaType = {
  words: 'application/json',
  shortest: 'application/json',
  form: new RegExp(`^application/json${parameters}`, 'i'),
}

/** A JSON merge patch may also be sent as plain JSON. */
const mergePatch: MediaType = {
  words: 'application/merge-patch+json or application/json',
  shortest: 'application/json',
  form: new RegExp(`^application/(merge-patch\\+)?json${parameters}`, 'i'),
  hint: { 'accept-patch': mergePatchTypes },
}

/** A file of animals. */
const file: MediaType = {
  words: 'text/csv or application/x-ndjson',
  shortest: 'text/csv',
  form: /^(text\/csv|application\/x-ndjson)(\s*;\s*(charset\s*=\s*("utf-(8|16)"|utf-(8|16))|header\s*=\s*present))*\s*;?$/i,
}

const lines: MediaType = {
  words: 'application/x-ndjson',
  shortest: 'application/x-ndjson',
  form: new RegExp(`^application/x-ndjson${parameters}`, 'i'),
}

const jsonOrLines: MediaType = {
  words: 'application/json or application/x-ndjson',
  shortest: 'application/json',
  form: new RegExp(`^application/(json|x-ndjson)${parameters}`, 'i'),
}

/** The gate for the media type. Runs before the body is read. */
export function requireMediaType(exchange: Exchange): void {
  const expected = typeOf(exchange.findings.route as Route)
  if (expected === undefined) return
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = exchange.request.headers
  const repeated = refusalOfRepeated(exchange.request, 'Content-Type')
  if (repeated !== undefined) throw repeated
  if (type === undefined ? exchange.request.hasBody && length !== '0' : !isOf(expected, type)) {
    Object.assign(exchange.response.headers, expected.hint)
    const message = `Send the body as Content-Type: ${expected.words}, in UTF-8.`
    throw new PetStoreError('unsupported_media_type', message)
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    exchange.response.headers['accept-encoding'] = 'identity'
    throw new PetStoreError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.')
  }
}

function typeOf({ method, operation, checkBody }: Route): MediaType | undefined {
  if (operation?.files !== undefined) return typeOfFiles(operation.files)
  if (checkBody === undefined) return undefined
  return method === 'PATCH' ? mergePatch : json
}

function typeOfFiles(files: Files): MediaType {
  if ('text/csv' in files) return file
  return 'application/json' in files ? jsonOrLines : lines
}

function isOf({ shortest, form }: MediaType, type: string): boolean {
  return type === shortest || form.test(type)
}
