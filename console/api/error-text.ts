import { failureOf } from './failure.ts'

/** An error as text for the user: what happened, what is safe, what to do. `isTyped`: of a form, which keeps its text. */
export function errorText(error: unknown, isTyped = false): string {
  const { code, message, retryAfterSeconds, requestId } = failureOf(error)
  const comfort = isTyped ? ' What you typed is kept.' : ''
  switch (code) {
    case 'unreachable':
      return `The service cannot be reached right now.${comfort} Try again in a moment.`
    case 'unavailable':
      return `The service is busy or restarting.${comfort} Try again in a moment.`
    case 'foreign':
      return 'Something between this page and the service answered in its place. Are you signed in to the network?'
    case 'rate_limited':
      return `That was a lot at once: the service asks for a pause${pauseText(retryAfterSeconds)}.${comfort}`
    case 'unauthorized':
      return 'This key is not accepted. It may have been revoked, or it has expired.'
    case 'forbidden':
      return 'This key may look at everything but change nothing.'
    case 'internal':
      return `The service could not do this, and it is not your fault.${comfort} (${requestId ?? 'no number'})`
    case 'precondition_failed':
      return 'Somebody changed this meanwhile. Look at it again, then repeat what you did.'
    default:
      return isStaleLink(error) ? 'This link leads to a page of the list that is not there any more.' : message
  }
}

/** Whether the address names a page that the list does not have: an old link, or one of another order. */
export function isStaleLink(error: unknown): boolean {
  const { code, fields = [] } = failureOf(error)
  // The list of events calls its cursor `after`; the events behind one may have expired.
  return code === 'gone' || (code === 'invalid_parameter' && ['cursor', 'after'].some((name) => fields.includes(name)))
}

function pauseText(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  const rounded = Math.max(1, Math.ceil(seconds))
  return rounded === 1 ? ' of a second' : ` of ${rounded} seconds`
}

/** The message of the service at the field that it refused; at `form` if it names several fields, another or none. */
export function faultsByField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field | 'form', string>> {
  const { code, message, fields: refused = [] } = failureOf(error)
  if (code !== 'invalid_body') return {}
  const field = refused.length === 1 ? fields.find((name) => name === refused[0]) : undefined
  return { [field ?? 'form']: message } as Partial<Record<Field | 'form', string>>
}
