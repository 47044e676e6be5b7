import { PetStoreError, unavailable } from '../../../inventory/errors.ts'
import { reasonOf } from '../../../http/replies/errors.ts'
import type { Calls } from '../../../threads/calls.ts'
import type { DispatcherStorage } from '../../../webhooks/dispatcher-storage.ts'

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

type Reply<Result> = { result: Result } | { failure: SentError }

/** A call with its input as a list. Its errors are replies, so that they keep what `SentError` has. */
function replying<Input extends unknown[], Result>(call: (...input: Input) => Promise<Result>) {
  return async (input: Input): Promise<Reply<Result>> => {
    try {
      return { result: await call(...input) }
    } catch (error) {
      return { failure: toSentError(error as Error) }
    }
  }
}

/** What the first thread, which has the storage, offers the other one. */
export function storageCalls({ events, webhooks, deliveries }: DispatcherStorage) {
  return {
    listEvents: replying(events.list),
    latestEvent: replying(events.latest),
    enabledWebhooks: replying(webhooks.enabled),
    disableWebhook: replying(webhooks.disable),
    acquireLease: replying(deliveries.acquire),
    renewLease: replying(deliveries.renew),
    releaseLease: replying(deliveries.release),
    recordDeliveries: replying(deliveries.record),
    positions: replying(deliveries.positions),
    forgetTries: replying(deliveries.forget),
  }
}

export type StorageCalls = ReturnType<typeof storageCalls>

function resultOf<Result>(reply: Reply<Result>): Result {
  if ('failure' in reply) throw fromSentError(reply.failure)
  return reply.result
}

/** The storage of the first thread, in another one. */
export function remoteStorage({ call }: Calls<StorageCalls>, version: () => number): DispatcherStorage {
  return {
    version,
    events: {
      list: async (...input) => resultOf(await call('listEvents', input)),
      latest: async () => resultOf(await call('latestEvent', [])),
    },
    webhooks: {
      enabled: async () => resultOf(await call('enabledWebhooks', [])),
      disable: async (...input) => resultOf(await call('disableWebhook', input)),
    },
    deliveries: {
      acquire: async (...input) => resultOf(await call('acquireLease', input)),
      renew: async (...input) => resultOf(await call('renewLease', input)),
      release: async (...input) => resultOf(await call('releaseLease', input)),
      record: async (...input) => resultOf(await call('recordDeliveries', input)),
      positions: async () => resultOf(await call('positions', [])),
      forget: async (...input) => resultOf(await call('forgetTries', input)),
    },
  }
}
