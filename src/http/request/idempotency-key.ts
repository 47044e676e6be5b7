import { hash } from 'node:crypto'
import { idempotencyKeyWords, readIdempotencyKey } from '../../contract/idempotency-key.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { type IdempotencyKey, identityOf } from '../../inventory/idempotency-key.ts'
import { refusalOfRepeated, type WithHeaders } from './request-headers.ts'

interface Keyed {
  readonly request: WithHeaders
  readonly findings: { readonly key: ApiKey | undefined }
}

/** The idempotency key of a request that has passed authentication. `input` returns what the fingerprint is made of. */
export function idempotencyKeyOf(
  { request, findings: { key } }: Keyed,
  input: () => string,
): IdempotencyKey | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const repeated = refusalOfRepeated(request, 'Idempotency-Key')
  if (repeated !== undefined) throw repeated
  return parseIdempotencyKey(header, (key as ApiKey).id, input())
}

/** Parses the header of a request with this API key. */
export function parseIdempotencyKey(header: string, keyId: string, input: string): IdempotencyKey {
  const name = readIdempotencyKey(header)
  if (name === undefined) {
    throw new PetStoreError('invalid_parameter', `Idempotency-Key must be ${idempotencyKeyWords}.`, {
      fields: ['Idempotency-Key'],
    })
  }
  return { keyId, name, fingerprint: hash('sha256', input, 'base64url') }
}

/** For a response with a secret: to repeat it, the secret would have to be stored with it. */
export function refuseIdempotencyKey({ headers }: WithHeaders): void {
  if (headers['idempotency-key'] === undefined) return
  throw new PetStoreError(
    'invalid_parameter',
    'Idempotency-Key must not be sent here: the response has a secret, which is sent only once.',
    // Not a parameter of these operations.
    { fields: [] },
  )
}

/** The error for a key that was used with another fingerprint. */
export function idempotencyMismatch(): PetStoreError {
  return new PetStoreError('idempotency_mismatch', 'This Idempotency-Key was used with another body.')
}

export type KeysInFlight = ReturnType<typeof idempotencyKeysInFlight>

/** Allows one request per key at a time: another one before the first response is a conflict. */
export function idempotencyKeysInFlight() {
  const running = new Set<string>()

  function run<Result>(key: IdempotencyKey | undefined, work: () => Promise<Result>): Promise<Result> {
    return key === undefined ? work() : runAlone(identityOf(key), work)
  }

  async function runAlone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    if (running.has(id)) {
      throw new PetStoreError('conflict', 'A request with this Idempotency-Key is still in flight; try again.', {
        retryAfterSeconds: 1,
      })
    }
    running.add(id)
    try {
      return await work()
    } finally {
      running.delete(id)
    }
  }

  return run
}
