import { errorText } from '../api/error-text.ts'
import { failureOf } from '../api/failure.ts'

const start = '#sign-in='

export function isSignInLink(): boolean {
  return location.hash.startsWith(start)
}

/** The code of the link. It is removed from the address: it must not stay in the history or in a bookmark. */
export function takeSignInCode(): string {
  const code = location.hash.slice(start.length)
  history.replaceState(null, '', location.pathname + location.search)
  return decoded(code)
}

/** Why a sign-in link did not work. */
export function linkErrorText(error: unknown): string {
  const { code } = failureOf(error)
  if (code === 'forbidden') {
    return 'This sign-in link works only on the machine that the service runs on. Paste your key here.'
  }
  const isUsed = code === 'gone' || code === 'invalid_body'
  return isUsed
    ? 'This sign-in link was used already, or it is more than 15 minutes old. Paste the key that was printed with it.'
    : errorText(error)
}

function decoded(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}
