import { reasonOf } from '../../../http/replies/errors.ts'
import { PetStoreError, unavailable } from '../../../inventory/errors.ts'

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
