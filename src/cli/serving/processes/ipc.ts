/** One end of the channel between two processes: a process or a cluster worker. */
interface Channel {
  send(message: unknown): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

interface Message {
  petstore: 'call' | 'answer'
  number: number
  name?: string
  value?: unknown
  error?: string
}

/**
 * Calls between processes: each end offers functions by name and may call those of the other. Arguments are cloned, so
 * they may contain bigints. Other messages on the channel are ignored.
 */
export function connectCalls(channel: Channel, functions: Record<string, (input: never) => Promise<unknown>>) {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let count = 0

  channel.on('message', (message) => {
    if (!isOurs(message)) return
    const { petstore, number, name = '', value, error } = message
    if (petstore === 'call') {
      const answer = (rest: Partial<Message>) => channel.send({ petstore: 'answer', number, ...rest })
      const run = functions[name] ?? (() => Promise.reject(new Error(`there is no function ${name}`)))
      run(value as never).then(
        (result) => answer({ value: result }),
        (failure: Error) => answer({ error: failure.message }),
      )
      return
    }
    const caller = waiting.get(number)
    waiting.delete(number)
    if (error === undefined) caller?.resolve(value as never)
    else caller?.reject(new Error(error))
  })

  return {
    call<Result>(name: string, value?: unknown): Promise<Result> {
      return new Promise((resolve, reject) => {
        const number = ++count
        waiting.set(number, { resolve, reject })
        channel.send({ petstore: 'call', number, name, value })
      })
    },
    /** The other end has gone: pending calls are rejected. */
    end(reason: Error): void {
      for (const { reject } of waiting.values()) reject(reason)
      waiting.clear()
    },
  }
}

function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'petstore' in message
}
