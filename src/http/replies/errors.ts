import { type ErrorBody, errorStatus } from '../../contract/error.ts'
import { internal, PetStoreError } from '../../inventory/errors.ts'
import type { Reply } from '../exchange.ts'
import { jsonType } from './json.ts'
import type { Observer } from './observe.ts'

/** Maps an error to status and headers; nothing else does. A gate may add a header, such as Allow, to the exchange. */
export function errorReply({ code, message, retryAfterSeconds, fields }: PetStoreError): Reply & { body: string } {
  const status = errorStatus[code]
  const headers: Record<string, string> = { ...jsonType, 'cache-control': 'no-store' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  if (fields.length > 0) headers['invalid-fields'] = fields.join(', ')
  return { status, headers, body: JSON.stringify({ code, message, status } satisfies ErrorBody) }
}

type ErrorObserver = Pick<Observer, 'failed' | 'unavailable'>

/** Returns the error for the client. Reports outages and unexpected errors to the observer. */
export function reportError(thrown: unknown, { failed, unavailable }: ErrorObserver, requestId: string): PetStoreError {
  const error = thrown instanceof PetStoreError ? thrown : internal(thrown)
  if (error.code === 'unavailable') unavailable(reasonOf(error), requestId)
  else if (errorStatus[error.code] >= 500) failed((error.cause ?? thrown) as Error, requestId)
  return error
}

/** The messages of an error and its causes, as one sentence. */
export function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each instanceof Error; each = each.cause) {
    // Some errors of Node have no message, but a code.
    const message = each.message || ((each as NodeJS.ErrnoException).code ?? '')
    const text = message.replace(/\.$/, '')
    // A cause may say what the error says, and more.
    if (text.startsWith(messages.at(-1) ?? text)) messages.pop()
    if (text !== '') messages.push(text)
  }
  return `${messages.join(': ')}.`
}
