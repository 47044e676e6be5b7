import type { Failure } from './retry-rules.ts'

interface SystemError {
  message?: string
  code?: string
  syscall?: string
  /** One for each address that was tried. */
  errors?: SystemError[]
  cause?: SystemError
}

/** System calls, and the codes of undici and Bun, which do not name one. */
const beforeSending = /^(connect|getaddrinfo|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)$/

/** The codes of Node and Bun for a certificate that is not trusted. Deno says it in words. */
const aboutCertificate = /CERT|CRL|SIGNATURE|HOSTNAME_M|INVALID_(CA|PURPOSE)|PATH_LEN|invalid peer certificate/

/** What is known when `fetch` threw. If the runtime does not say, the request counts as sent. */
export function failureOfFetch(error: unknown): Failure {
  const thrown = (error ?? {}) as SystemError
  const { cause = thrown } = thrown
  if (aboutCertificate.test(`${cause.code} ${cause.message}`)) return 'untrusted'
  return failedToConnect(cause) ? 'unreached' : 'lost'
}

function failedToConnect({ code = '', syscall = code, errors = [] }: SystemError): boolean {
  return beforeSending.test(syscall) || (errors.length > 0 && errors.every(failedToConnect))
}

/** The message and the cause of what `fetch` threw. */
export function describeFetchError(error: unknown): string {
  const { message, cause } = (error ?? {}) as SystemError
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ')
}
