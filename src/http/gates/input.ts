import type { Exchange, Route } from '../exchange.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { confirmPreference } from '../replies/preference-applied.ts'
import { preferencesOf } from '../request/prefer.ts'

/**
 * The gate for the syntax of the body and for the rules of the schemas. Names that a schema does not have are ignored,
 * or refused if the client asks for that by `Prefer: handling=strict`.
 */
export function checkInput(exchange: Exchange): void {
  const { checkBody, checkQuery, streamsBody } = exchange.findings.route as Route
  const isStrict = checkQuery !== undefined && wantsStrictness(exchange)
  if (checkBody !== undefined)
    exchange.findings.body = checkBody(exchange.findings.body as Buffer | undefined, isStrict)
  else if (isStrict && streamsBody !== true) refuseBody(exchange.findings.body as Buffer | undefined)
  if (checkQuery !== undefined) exchange.findings.query = checkQuery(exchange.request.target.query, isStrict)
}

function refuseBody(bytes: Buffer | undefined): void {
  if (bytes === undefined || bytes.length === 0) return
  throw new PetStoreError('invalid_body', 'This operation takes no body: send none.', { fields: [] })
}

/** Confirms `handling=strict` and `handling=lenient`, the default. */
function wantsStrictness(exchange: Exchange): boolean {
  if (exchange.request.headers.prefer === undefined) return false
  const handling = preferencesOf(exchange.request).get('handling')
  if (handling === 'strict' || handling === 'lenient') confirmPreference(exchange.response, `handling=${handling}`)
  return handling === 'strict'
}
