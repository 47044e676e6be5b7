import { MessagePort } from 'node:worker_threads'

/** One end of the channel between two threads or processes. */
export interface Channel {
  send(message: unknown): unknown
  /** Hands over the port that is in the message. Only threads can. */
  sendPort?(message: unknown, port: MessagePort): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/**
 * What one end offers the other, by name. Input and result are cloned, so they may contain bigints. An input that is a
 * port is handed over.
 */
export type Functions = Record<string, (input: never) => unknown>

export interface Calls<Theirs extends Functions> {
  /** Rejects with the error of the other end, with its properties, but without its class. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...input: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>

  /** The other end has gone: pending calls are rejected. */
  end(reason: Error): void
}

type Message =
  | { petstore: 'call'; number: number; name: string; value: unknown }
  | { petstore: 'result'; number: number; value: unknown }
  | { petstore: 'failure'; number: number; error: SentError }

interface SentError {
  message: string
  stack: string | undefined
  properties: object
}

interface Caller {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Calls between threads or processes: each end offers functions and calls those of the other. Ignores other messages. */
export function connectCalls<Theirs extends Functions>(channel: Channel, functions: Functions): Calls<Theirs> {
  const waiting = new Map<number, Caller>()
  let count = 0
  const post = (message: Message) => channel.send(message)

  async function answer({ number, name, value }: Message & { petstore: 'call' }): Promise<void> {
    try {
      const run = functions[name]
      if (run === undefined) throw new Error(`there is no function ${name}`)
      post({ petstore: 'result', number, value: await run(value as never) })
    } catch (error) {
      post({ petstore: 'failure', number, error: toSentError(error as Error) })
    }
  }

  channel.on('message', (message) => {
    if (!isOurs(message)) return
    if (message.petstore === 'call') return void answer(message)
    const caller = waiting.get(message.number)
    waiting.delete(message.number)
    if (message.petstore === 'result') caller?.resolve(message.value)
    else caller?.reject(fromSentError(message.error))
  })

  return {
    call(name, ...[value]) {
      const { promise, ...caller } = Promise.withResolvers<unknown>()
      const number = ++count
      waiting.set(number, caller)
      const given: unknown = value
      const message: Message = { petstore: 'call', number, name, value }
      if (given instanceof MessagePort) channel.sendPort?.(message, given)
      else post(message)
      return promise as never
    },
    end(reason) {
      for (const { reject } of waiting.values()) reject(reason)
      waiting.clear()
    },
  }
}

/** A port between two threads. */
export function portChannel(port: MessagePort): Channel {
  return {
    send: (message) => port.postMessage(message),
    sendPort: (message, handedOver) => port.postMessage(message, [handedOver]),
    on: (event, listener) => port.on(event, listener),
  }
}

function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'petstore' in message
}

function toSentError(error: Error): SentError {
  return { message: error.message, stack: error.stack, properties: Object.fromEntries(Object.entries(error)) }
}

function fromSentError({ message, stack, properties }: SentError): Error {
  return Object.assign(new Error(message), properties, stack === undefined ? {} : { stack })
}
