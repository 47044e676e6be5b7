import { retryDelayMs } from './backoff.ts'
import type { ShopEvent } from './contract.ts'
import { CallError, ConnectionError, PetStoreError, UnexpectedResponseError } from './errors.ts'
import { openStream, readStream } from './event-stream.ts'
import { exactDigits, parseJsonOrUndefined } from './json.ts'
import type { FollowOptions } from './options.ts'
import { rememberPosition } from './position.ts'
import { positiveNumber } from './read-options.ts'
import { detailsOf, isResult } from './response.ts'
import { pause } from './timer.ts'
import type { OpenResponse, Transport } from './transport.ts'

/** See `Events.follow`. */
export async function* followEvents(
  transport: Transport,
  { after, maxSilenceMs = 45_000, onConnection, ...options }: FollowOptions,
): AsyncGenerator<ShopEvent, void, undefined> {
  positiveNumber('maxSilenceMs', maxSilenceMs)
  const { signal } = options
  let { retry } = transport
  /** The position of the last event. Opaque: sent back unchanged. */
  let position = typeof after === 'number' || typeof after === 'bigint' ? exactDigits('after', after) : after
  /** Consecutive connections without a frame beyond the first. */
  let failures = 0

  async function reconnect(lastError: CallError | undefined): Promise<OpenResponse> {
    for (let error = lastError; ; ) {
      await pause(retryDelayMs(++failures, error, retry), signal)
      try {
        return await openStream(transport, position, options, { ...retry, maxAttempts: 1 })
      } catch (failed) {
        if (!(failed instanceof CallError) || isRefusalOfService(failed)) throw failed
        error = failed
      }
    }
  }

  let stream = await openStream(transport, position, options, retry)
  for (;;) {
    let broken: ConnectionError | undefined
    onConnection?.(true)
    try {
      for await (const { id, data = '', retryMs } of readStream(stream, maxSilenceMs)) {
        // The first frame, which has `retryMs`, does not prove a working connection. A base delay of 0 would never
        // grow.
        if (retryMs === undefined) failures = 0
        else retry = { ...retry, baseDelayMs: Math.max(1, retryMs) }
        const event = data === '' ? undefined : eventOf(data, stream)
        position = id ?? position
        if (event === undefined) continue
        rememberPosition(event, position)
        yield event
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      broken = error
    } finally {
      onConnection?.(false)
    }
    stream = await reconnect(broken)
  }
}

/** A refusal by a gateway may be temporary. */
function isRefusalOfService(error: CallError): boolean {
  return error instanceof PetStoreError && error.failure === 'refused'
}

function eventOf(data: string, { response, progress }: OpenResponse): ShopEvent {
  const event = parseJsonOrUndefined(data)
  if (isResult(event, progress.operation)) return event as ShopEvent
  // Reconnecting would return the same event.
  throw new UnexpectedResponseError('An event cannot be read.', response.status, detailsOf(progress, 'broken'))
}
