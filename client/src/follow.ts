import { retryDelayMs } from './backoff.ts'
import { callBack } from './callback.ts'
import { operations, type ShopEvent } from './contract.ts'
import { CallError, ConnectionError, PetStoreError, UnexpectedResponseError } from './errors.ts'
import { openStream, readStream } from './event-stream.ts'
import { exactDigits, parseJsonOrUndefined } from './json.ts'
import type { FollowOptions } from './options.ts'
import { addPosition, type WithPosition } from './position.ts'
import { positiveNumber, readRetryOptions } from './read-options.ts'
import { detailsOf, isResult, malformed } from './response.ts'
import { pause } from './timer.ts'
import type { OpenResponse, Transport } from './transport.ts'

/** See `Events.follow`. */
export async function* followEvents(
  transport: Transport,
  { after, maxSilenceMs = 45_000, onConnection, onRetry, ...options }: FollowOptions,
): AsyncGenerator<WithPosition<ShopEvent>, void, undefined> {
  positiveNumber('maxSilenceMs', maxSilenceMs)
  let retry = readRetryOptions(options.retry, options.timeoutMs, transport.options.retry)
  /** The position of the last event. Opaque: sent back unchanged. */
  let position = typeof after === 'number' || typeof after === 'bigint' ? exactDigits('after', after) : after
  /** Consecutive connections without a frame beyond the first. */
  let failures = 0
  /** The first of consecutive responses of another server, which are refusals for good if they last. */
  let foreignSince: number | undefined
  let lastId: number | undefined
  /** The event after which others were missing. */
  let gapAfter: number | undefined

  async function reconnect(lastError: CallError): Promise<OpenResponse> {
    for (let error = lastError; ; ) {
      const delayMs = retryDelayMs(++failures, error, retry)
      const report = { operation: operations.listEvents.id, attempt: failures, error, delayMs }
      transport.reportRetry(report)
      callBack('onRetry', onRetry, report)
      await pause(delayMs, options.signal)
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
    foreignSince = isForeign ? (foreignSince ?? performance.now()) : undefined
    return isForeign && performance.now() - (foreignSince ?? 0) > retry.totalTimeoutMs
  }

  /** Ids are consecutive. Throws once to reconnect if events are missing; if they still are, for good. */
  function isNew(event: ShopEvent, { progress }: OpenResponse): boolean {
    const id = Number(event.id)
    if (lastId !== undefined && id <= lastId) return false
    if (lastId !== undefined && id > lastId + 1) {
      if (gapAfter === lastId) throw malformed({ progress }, `has no event after ${lastId}`)
      gapAfter = lastId
      throw new ConnectionError('Events are missing.', detailsOf(progress, 'lost'))
    }
    lastId = id
    return true
  }

  let stream = await openStream(transport, position, options)
  for (;;) {
    let broken: ConnectionError
    foreignSince = undefined
    callBack('onConnection', onConnection, true)
    try {
      for await (const { id, data = '', retryMs } of readStream(stream, maxSilenceMs)) {
        // The first frame, which has `retryMs`, does not prove a working connection. A base delay of 0 would never
        // grow.
        if (retryMs === undefined) failures = 0
        else retry = { ...retry, baseDelayMs: Math.max(1, retryMs) }
        const event = data === '' ? undefined : eventOf(data, stream)
        const isWanted = event !== undefined && isNew(event, stream)
        position = id ?? position
        if (!isWanted) continue
        yield addPosition(event, position)
      }
      broken = new ConnectionError('The stream of events ended.', detailsOf(stream.progress, 'lost'))
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      broken = error
    } finally {
      callBack('onConnection', onConnection, false)
    }
    stream = await reconnect(broken)
  }
}

function eventOf(data: string, { progress }: OpenResponse): ShopEvent {
  const event = parseJsonOrUndefined(data)
  if (isResult(event, progress.operation)) return event as ShopEvent
  // Reconnecting would return the same event.
  throw malformed({ progress }, 'has an event that cannot be read')
}
