import { once } from 'node:events'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** The compile cache would take 20 MB more, for scripts that run once. */
const env = { NODE_DISABLE_COMPILE_CACHE: '1' }
let earlier: Promise<unknown> = Promise.resolve()

/**
 * Runs a thread that posts one message and ends, and resolves to the message. One thread at a time: each takes about
 * 60 MB while it runs.
 */
export function runThread<Message>(script: URL, options?: WorkerOptions): Promise<Message> {
  const message = earlier.then(() => messageOf<Message>(new Worker(script, { env, ...options })))
  earlier = message.catch(() => undefined)
  return message
}

/** Resolves when the thread has ended and its memory is free. */
async function messageOf<Message>(thread: Worker): Promise<Message> {
  // Not `once`, which would reject if the thread fails: the next line does.
  const exit = new Promise((resolve) => thread.once('exit', resolve))
  const [message] = (await once(thread, 'message')) as [Message]
  await exit
  return message
}
