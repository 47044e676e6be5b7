import { connectionError } from '../../webhooks/connection-error.ts'
import { Failure } from '../shared/failure.ts'
import { printable } from '../shared/table.ts'

/** A block between two blank lines of a stream of server-sent events. A heartbeat is an empty one. */
export interface Frame {
  id?: string
  data?: string
}

export interface StreamSource {
  /** The base address of the service. */
  url: URL
  key: string
}

/** The stream cannot be opened, or it broke: another attempt may succeed. */
export class Broken extends Error {}

/** The position is not in the history of the service any more. */
export class PositionLost extends Error {}

const connectTimeoutMs = 10_000
/** In characters. The largest event of a shop has a tenth of it. */
const maxLineLength = 4 * 1024 * 1024
/** The service sends something at least every ten seconds. */
const maxSilenceMs = 45_000

/**
 * The frames of the event stream after a position, or from now on, until the connection ends: then throws Broken. Throws
 * a Failure if the service refuses for good.
 */
export async function* streamFrames(
  { url, key }: StreamSource,
  position: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  const silence = new AbortController()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
  let timer = setTimeout(() => silence.abort(), connectTimeoutMs)
  try {
    const response = await fetch(`${url.href}/events`, {
      headers: { ...headers, ...(position !== undefined && { 'last-event-id': position }) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    await refuseOtherResponses(response)
    for await (const frame of readFrames(response.body as ReadableStream<Uint8Array>)) {
      // The time of the reader does not count.
      clearTimeout(timer)
      yield frame
      timer = setTimeout(() => silence.abort(), maxSilenceMs)
    }
    throw new Broken('it was ended')
  } catch (error) {
    if (error instanceof Broken || error instanceof PositionLost || error instanceof Failure) throw error
    throw new Broken(silence.signal.aborted ? 'it is silent' : reasonOf(error))
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

async function refuseOtherResponses(response: Response): Promise<void> {
  const { status, headers } = response
  if (status === 200 && headers.get('content-type')?.startsWith('text/event-stream') === true) return
  const { message } = (await response.json().catch(() => ({}))) as { message?: unknown }
  const reason = typeof message === 'string' ? printable(message) : `status ${status}`
  if (status === 410) throw new PositionLost(reason)
  if (status >= 500 || status === 429 || status === 408) throw new Broken(reason)
  if (typeof message === 'string') throw new Failure(`The service refuses: ${reason}`)
  throw new Failure('--url is not the base address of a service: it does not answer /events with a stream.')
}

/** An error of `fetch` has its reason in its cause. */
function reasonOf(error: unknown): string {
  return printable(connectionError((error as { cause?: unknown }).cause ?? error))
}

/** Not by lines of `node:readline`: for it, U+2028 in a name would end one. */
async function* readFrames(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder()
  let rest = ''
  let frame: Frame = {}
  for await (const bytes of parts) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineLength) throw new Failure('The service has sent an event of more than 4 MiB.')
    for (const ended of lines) {
      const line = ended.replace(/\r$/, '')
      const [, name, value = ''] = /^(id|data): ?(.*)$/su.exec(line) ?? []
      if (name === 'id') frame.id = value
      else if (name === 'data') frame.data = value
      else if (line === '') {
        yield frame
        frame = {}
      }
    }
  }
}
