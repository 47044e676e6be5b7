import { nextLoopTick } from '../../inventory/loop-steps.ts'
import { PetStoreError, unavailable } from '../../inventory/errors.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { BodyPace } from './body-pace.ts'

export interface BodyLimits {
  maxBytes: number
  /** How long the client may take for each `minProgressBytes`, without the time in which nothing is read. */
  stallTimeoutMs: number
  minProgressBytes: number
  /** For those who want to know how late the client is. */
  pace?: BodyPace
  /** How long the client may take for everything. */
  totalTimeoutMs?: number | undefined
  /** Aborted when the service stops, or with another reason for the client. */
  stopping: AbortSignal
}

/** Parsing a piece of valid rows takes about a millisecond. */
const pieceBytes = 16 * 1024

/**
 * Reads a large body in small pieces, each in a tick of the event loop of its own, so that other requests are not kept
 * waiting. While a piece is being used, nothing more is read. Throws if the body is too large or invalid, if its client
 * is too slow or leaves, and when the service stops. Whatever ends it, the rest of the body is read and dropped: many
 * clients read their response only when they have sent everything. `fault` is aborted if the rest cannot be read.
 */
export async function* piecesOf(
  { incoming }: ReceivedRequest,
  fault: AbortSignal,
  limits: BodyLimits,
): AsyncGenerator<Buffer> {
  if (incoming === undefined) return
  const chunks = incoming.iterator({ destroyOnReturn: false }) as Required<AsyncIterator<Buffer, undefined>>
  const { pace = new BodyPace(limits.minProgressBytes) } = limits
  let bytes = 0
  let totalRemainingMs = limits.totalTimeoutMs ?? Number.POSITIVE_INFINITY
  try {
    for (;;) {
      const remainingMs = limits.stallTimeoutMs - pace.lateMs()
      pace.startRead()
      const { done, value: chunk } = await inTime(
        chunks.next().catch(left),
        Math.min(remainingMs, totalRemainingMs),
        limits,
        fault,
      )
      totalRemainingMs -= pace.endRead(chunk?.length ?? 0)
      if (done === true) return pace.end()
      bytes += chunk.length
      if (bytes > limits.maxBytes) throw tooLarge(limits.maxBytes)
      if (totalRemainingMs <= 0) throw tooSlow(limits)
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        if (limits.stopping.aborted) throw stopped(limits.stopping)
        yield chunk.subarray(at, at + pieceBytes)
        await nextLoopTick()
      }
    }
  } finally {
    // Not awaited: it may have to wait for the client. Until then the iterator keeps the body from being dropped.
    void chunks.return(undefined).finally(() => incoming.resume())
  }
}

export function tooLarge(maxBytes: number): PetStoreError {
  const mebibytes = maxBytes / 1024 / 1024
  const limit = mebibytes < 1024 ? `${mebibytes} MiB` : `${mebibytes / 1024} GiB`
  return new PetStoreError('payload_too_large', `The file must not be larger than ${limit}.`)
}

function left(cause: unknown): never {
  throw new PetStoreError('invalid_request', 'The connection ended before the file did.', { cause })
}

function stopped({ reason }: AbortSignal): PetStoreError {
  return reason instanceof PetStoreError ? reason : unavailable('The service is stopping.')
}

function tooSlow({ minProgressBytes, stallTimeoutMs, totalTimeoutMs }: BodyLimits): PetStoreError {
  const whole = totalTimeoutMs === undefined ? '' : `, and the end within ${totalTimeoutMs / 1000} s`
  const expected = `at least ${minProgressBytes} bytes are expected every ${stallTimeoutMs / 1000} s${whole}`
  return new PetStoreError('request_timeout', `The file arrives too slowly: ${expected}.`)
}

async function inTime<Result>(
  reading: Promise<Result>,
  timeoutMs: number,
  limits: BodyLimits,
  fault: AbortSignal,
): Promise<Result> {
  const { stopping } = limits
  const { promise: refused, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow(limits)), timeoutMs)
  const check = () => {
    if (stopping.aborted) reject(stopped(stopping))
    if (fault.aborted) reject(fault.reason as PetStoreError)
  }
  stopping.addEventListener('abort', check)
  fault.addEventListener('abort', check)
  check()
  reading.catch(() => undefined)
  try {
    return await Promise.race([reading, refused])
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', check)
    fault.removeEventListener('abort', check)
  }
}
