import { PetStoreError, unavailable } from '../../../inventory/errors.ts'
import { reasonOf } from '../../../http/replies/errors.ts'
import { dispatcherCalls, type DispatcherStorage } from '../../../webhooks/dispatcher-storage.ts'

type PortName = keyof typeof dispatcherCalls

export interface StorageCall {
  port: PortName
  method: string
  input: unknown[]
}

export type StorageReply = { result: unknown } | { failure: SentError }

/** An error on its way between threads, where the class of one is lost. */
export interface SentError {
  message: string
  stack: string | undefined
  isUnavailable: boolean
}

export function toSentError(error: Error): SentError {
  const isUnavailable = error instanceof PetStoreError && error.code === 'unavailable'
  return { message: isUnavailable ? reasonOf(error) : error.message, stack: error.stack, isUnavailable }
}

export function fromSentError({ message, stack, isUnavailable }: SentError): Error {
  return isUnavailable ? unavailable(message) : Object.assign(new Error(message), { stack })
}

/** Answers the calls of the thread. Never rejects. */
export async function callStorage(
  storage: DispatcherStorage,
  { port, method, input }: StorageCall,
): Promise<StorageReply> {
  const functions = storage[port] as unknown as Record<string, (...input: unknown[]) => Promise<unknown>>
  try {
    return { result: await functions[method]?.(...input) }
  } catch (error) {
    return { failure: toSentError(error as Error) }
  }
}

/** The storage of the first thread, in another one. */
export function remoteStorage(
  ask: (call: StorageCall) => Promise<StorageReply>,
  version: () => number,
): DispatcherStorage {
  const remotePort = (port: PortName) =>
    Object.fromEntries(
      dispatcherCalls[port].map((method) => [
        method,
        async (...input: unknown[]) => {
          const reply = await ask({ port, method, input })
          if ('failure' in reply) throw fromSentError(reply.failure)
          return reply.result
        },
      ]),
    )
  const ports = { events: remotePort('events'), webhooks: remotePort('webhooks'), deliveries: remotePort('deliveries') }
  return { ...(ports as unknown as Omit<DispatcherStorage, 'version'>), version }
}
