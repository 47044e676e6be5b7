import { retryDelayMs } from './backoff.ts'
import { callBack } from './hooks.ts'
import { operations, type ShopEvent } from './contract.ts'
import { readParts } from './body-parts.ts'
import { CallError, PetStoreError, UnexpectedResponseError } from './errors.ts'
import { openStream } from './event-stream.ts'
import { parseJsonOrUndefined } from './json.ts'
import type { FollowOptions } from './options.ts'
import { positiveNumber, readRetryOptions } from './read-options.ts'
import { searchParamsOf } from './request.ts'
import { endedEarly, isResult, malformed } from './response.ts'
import { readFrames } from './server-sent-events.ts'
import { pause } from './deadline.ts'
import type { Transport } from './transport.ts'
import type { OpenResponse } from './response.ts'

/** See `Events.follow`. */
export async function* followEvents(
  transport: Transport,
  { after, maxSilenceMs = 45_000, onConnection, onRetry, ...options }: FollowOptions,
): AsyncGenerator<ShopEvent, void, undefined> {
  positiveNumber('maxSilenceMs', maxSilenceMs)
  let retry = readRetryOptions(options.retry, options.timeoutMs, transport.options.retry)
  /** The position of the last event. Opaque: sent back unchanged. */
  let position = searchParamsOf({ after }).get('after') ?? undefined
  /** When the first connection must have been made. */
  let connectBy = performance.now() + retry.totalTimeoutMs
  /** Consecutive connections without a frame beyond the first. */
  let failures = 0
  /** The first of consecutive responses of another server, which are refusals for good if they last. */
  let foreignSince: number | undefined
  let lastNumber: number | undefined
  /** The event after which others were missing. */
  let gapAfter: number | undefined

  async function waitAfter(error: CallError): Promise<void> {
    const delayMs = retryDelayMs(++failures, error, retry)
    if (performance.now() + delayMs >= connectBy) throw error
    const report = { operation: operations.listEvents.id, attempt: failures, error, delayMs }
    callBack('onRetry', transport.options.onRetry, report)
    callBack('onRetry', onRetry, report)
    await pause(delayMs, options.signal)
  }

  async function connect(lastError?: CallError): Promise<OpenResponse> {
    for (let error = lastError; ; ) {
      if (error) await waitAfter(error)
      try {
        return await openStream(transport, position, { ...options, retry: { ...retry, maxAttempts: 1 } })
      } catch (failed) {
        if (!(failed instanceof CallError) || isFinal(failed)) throw failed
        error = failed
      }
    }
  }

  function isFinal(error: CallError): boolean {
    if (error.failure === 'untrusted' || (error instanceof PetStoreError && error.failure === 'refused')) return true
    const isForeign = error instanceof UnexpectedResponseError && error.status < 500 && error.failure !== 'deferred'
    const now = performance.now()
    foreignSince = isForeign ? (foreignSince ?? now) : undefined
    return now - (foreignSince ?? now) > retry.totalTimeoutMs
  }

  /** Numbers are consecutive. Throws once to reconnect if events are missing; if they still are, for good. */
  function isNew(event: ShopEvent, { progress }: OpenResponse): boolean {
    const number = Number(event.sequence)
    const expected = lastNumber === undefined ? number : lastNumber + 1
    if (number < expected) return false
    if (number > expected) {
      if (gapAfter === lastNumber) throw malformed({ progress }, `has no event after ${lastNumber}`)
      gapAfter = lastNumber
      throw endedEarly(progress)
    }
    lastNumber = number
    return true
  }

  let stream = await connect()
  connectBy = Infinity
  for (;;) {
    let error: CallError
    foreignSince = undefined
    callBack('onConnection', onConnection, true)
    try {
      for await (const { id, data = '', retryMs } of readFrames(readParts(stream, maxSilenceMs))) {
        // The first frame, which has `retryMs`, does not prove a working connection. A base delay of 0 would never
        // grow.
        if (retryMs === undefined) failures = 0
        else retry = { ...retry, baseDelayMs: Math.max(1, retryMs) }
        const event = data === '' ? undefined : eventOf(data, stream)
        const isWanted = event && isNew(event, stream)
        position = id ?? position
        if (isWanted) yield event
      }
      error = endedEarly(stream.progress)
    } catch (failed) {
      if (!(failed instanceof CallError && failed.failure === 'lost')) throw failed
      error = failed
    } finally {
      callBack('onConnection', onConnection, false)
    }
    stream = await connect(error)
  }
}

function eventOf(data: string, { progress }: OpenResponse): ShopEvent {
  const event = parseJsonOrUndefined(data)
  if (isResult(event, progress.operation) && /^[0-9]+$/.test((event as ShopEvent).sequence)) return event as ShopEvent
  // Reconnecting would return the same event.
  throw malformed({ progress }, 'has an event that cannot be read')
}
