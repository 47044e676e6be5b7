import { parseJson } from './json.js'

/** Why a request did not succeed: what the service said, or `offline` where nothing was heard from it. */
export class Problem extends Error {
  constructor({ code, message, status = 0, retryAfter, requestId }) {
    super(message)
    this.code = code
    this.status = status
    /** Seconds. */
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

const mostTries = 3
/** In seconds. Who is asked to wait for longer is told so instead. */
const longestPause = 3

/** @type {{ key: string | undefined, refused: () => void }} */
let credentials = { key: undefined, refused() {} }

/** Sends this key from now on. `refused` is called when the service does not take it any more. */
export function signWith(key, refused) {
  credentials = { key, refused }
}

/**
 * Asks the service. What can be asked twice without harm, reading and whatever carries an Idempotency-Key, is asked again
 * when no answer came or the service was busy.
 */
export async function ask(path, { method = 'GET', headers = {}, body, signal } = {}) {
  const isRepeatable = method === 'GET' || 'Idempotency-Key' in headers
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(path, { method, headers, body, signal })
    } catch (error) {
      if (!(error instanceof Problem) || !isRepeatable || tries === mostTries) throw error
      const pause = pauseAfter(error, tries)
      if (pause === undefined) throw error
      await sleep(pause)
    }
  }
}

async function askOnce(path, { method, headers, body, signal }) {
  const response = await send(path, {
    method,
    signal,
    cache: 'no-cache',
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    body,
  })
  const text = await response.text().catch(() => {
    throw offline()
  })
  if (!response.ok) throw problemOf(response, text)
  return { body: text === '' ? undefined : parseJson(text), headers: response.headers }
}

/** The bare request, with the key. Rejects only with what this module throws, or when it is aborted. */
export async function send(path, options = {}) {
  const { key, refused } = credentials
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const response = await fetch(path, { ...options, headers: { ...authorization, ...options.headers } }).catch(
    (error) => {
      throw error.name === 'AbortError' ? error : offline()
    },
  )
  // A key that was replaced while this was on its way is no concern any more.
  if (response.status === 401 && key !== undefined && key === credentials.key) refused()
  return response
}

export function problemOf({ status, headers }, text) {
  const retryAfter = Number(headers.get('retry-after')) || undefined
  const requestId = headers.get('x-request-id') ?? undefined
  try {
    const { code, message } = JSON.parse(text)
    return new Problem({ code, message, status, retryAfter, requestId })
  } catch {
    // Not from the service, but from something on the way to it.
    return new Problem({ code: 'unavailable', message: `The answer was ${status}.`, status, retryAfter, requestId })
  }
}

function offline() {
  return new Problem({ code: 'offline', message: 'The service cannot be reached.' })
}

/** Milliseconds to wait before the next try; undefined where trying again soon would not help. */
function pauseAfter({ code, retryAfter = 1 }, tries) {
  if (code === 'offline') return navigator.onLine ? 300 * 3 ** (tries - 1) : undefined
  if (code !== 'unavailable' && code !== 'rate_limited') return undefined
  return retryAfter <= longestPause ? retryAfter * 1000 : undefined
}

function sleep(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** What names an attempt to write. By hand: crypto.randomUUID is missing where the page comes over plain HTTP. */
export function newAttempt() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
