import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** An event as clients receive it. */
export interface WireEvent {
  specversion: string
  id: string
  source: string
  type: string
  subject: string
  time: string
  datacontenttype: string
  sequence: string
  keyid?: string
  keyname?: string
  requestid?: string
  data: Record<string, unknown>
}

/** The number of an event, as text. */
export function numberOf({ sequence }: Pick<WireEvent, 'sequence'>): string {
  return String(BigInt(sequence))
}

/** The frames of a stream as they become complete. */
export async function* framesOf<Event = WireEvent>(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame<Event>[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    yield frames.map((frame) => readFrame<Event>(frame))
  }
}

interface Frame<Event> {
  id: string | undefined
  event: Event | undefined
}

function readFrame<Event = WireEvent>(frame: string): Frame<Event> {
  // A pattern with `.` or `$` would treat U+2028 as the end of a line.
  const lines = frame.split('\n')
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const data = field('data')
  return { id: field('id'), event: data === undefined ? undefined : (JSON.parse(data) as Event) }
}

export interface EventStream {
  answer: IncomingMessage
  /** All text received so far. */
  text(): string
  /** The complete events received so far. */
  events: readonly WireEvent[]
  /** Resolves when the condition holds; checked whenever data arrive. */
  until(isSo: () => boolean): Promise<void>
  /** Resolves at the end of the stream: true if the service ended it properly. */
  ended: Promise<boolean>
  leave(): void
}

export interface EventStreamOptions {
  origin: string
  key: string
  path?: string
  headers?: Record<string, string>
}

/** Follows the events on a connection of its own, at most until the test ends. */
export async function followEvents(
  t: TestContext,
  { origin, key, path = '/v1/events', headers = {} }: EventStreamOptions,
): Promise<EventStream> {
  const request = get(origin + path, {
    agent: false,
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
  })
  t.after(() => request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  request.on('error', () => undefined)
  answer.on('error', () => undefined)
  const events: WireEvent[] = []
  const waiting = new Set<() => void>()
  let text = ''
  let rest = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    events.push(...frames.flatMap((frame) => readFrame(frame).event ?? []))
    for (const check of waiting) check()
  })
  const ended = new Promise<boolean>((resolve) => {
    answer.once('close', () => {
      resolve(answer.complete)
      for (const check of waiting) check()
    })
  })

  return {
    answer,
    events,
    text: () => text,
    until: (isSo) =>
      new Promise((resolve, reject) => {
        function check(): void {
          if (isSo()) resolve()
          else if (answer.closed) reject(new Error(`The stream ended too early, after ${events.length} events.`))
          else return
          waiting.delete(check)
        }
        waiting.add(check)
        check()
      }),
    ended,
    leave: () => void request.destroy(),
  }
}

/** Asks for a stream on a connection that is never read. */
export async function openUnread(
  t: TestContext,
  { origin, key, path = '/v1/events' }: EventStreamOptions,
): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  return socket
}
