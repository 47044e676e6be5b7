import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { idempotencyKeyHeader } from '../../contract/parameters.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { type IdempotencyKey, identityOf } from '../../inventory/idempotency-key.ts'
import { refusalOfRepeated } from './raw-headers.ts'

const bare = /^[\x21\x23-\x7e][\x20-\x7e]*$/

// A string of structured fields (RFC 9651, 3.3.3) with parameters, which are ignored.
const string = String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"`
const parameter = String.raw`; *[a-z*][a-z0-9_.*-]*(?:=(?:${string}|[!#$%&'*+.^_\`|~0-9A-Za-z:/?=@-]+))?`
const quoted = new RegExp(`^(${string})(?:${parameter})*$`)

/** The idempotency key of a request, undefined without one. `input` returns what the fingerprint is made of. */
export function idempotencyKeyOf(request: FastifyRequest, input: () => string): IdempotencyKey | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const repeated = refusalOfRepeated(request, 'Idempotency-Key')
  if (repeated !== undefined) throw repeated
  return parseIdempotencyKey(String(header), request.apiKey?.id ?? '', input())
}

/** Parses the header of a request with this API key. */
export function parseIdempotencyKey(header: string, keyId: string, input: string): IdempotencyKey {
  const name = readName(header)
  if (name === undefined || name.length === 0 || name.length > 255 || header.length > idempotencyKeyHeader.maxLength) {
    throw new PetStoreError(
      'invalid_parameter',
      'Idempotency-Key must be 1 to 255 printable ASCII characters, bare or in double quotes.',
    )
  }
  return { keyId, name, fingerprint: hash('sha256', input, 'base64url') }
}

function readName(header: string): string | undefined {
  const inner = quoted.exec(header)?.[1]?.slice(1, -1)
  if (inner !== undefined) return inner.replace(/\\(.)/g, '$1')
  return bare.test(header) ? header : undefined
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
