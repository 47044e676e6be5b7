import type { Verdicts } from './model/verdicts.ts'
import type { Check } from './shop/check.ts'
import { curlOf, describe } from './shop/exchange.ts'
import { Broken, Skipped } from './shop/expect.ts'
import { hideKey } from './shop/hidden-key.ts'

/** What became of a check. */
export interface Outcome {
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was not judged. */
  reason?: string
  /** Of a failed check: a curl line, what the contract expects, and what came. */
  sent?: string
  expected?: string
  came?: string
  /** The earlier response that says otherwise, and a curl line for it. */
  earlierSent?: string
  earlierCame?: string
}

export function skipped(reason: string): Outcome {
  return { outcome: 'skipped', reason }
}

export async function attempt(check: () => Promise<void>, key: string): Promise<Outcome> {
  try {
    await check()
    return { outcome: 'passed' }
  } catch (error) {
    if (error instanceof Skipped) return skipped(safe(error.message, key))
    if (!(error instanceof Broken)) throw error
    return failed(error, key)
  }
}

function failed({ exchange, expected, came, earlier }: Broken, key: string): Outcome {
  return {
    outcome: 'failed',
    ...(exchange !== undefined && { sent: printable(curlOf(exchange, key)) }),
    expected: safe(expected, key),
    came: safe(came, key),
    ...(earlier !== undefined && {
      earlierSent: printable(curlOf(earlier, key)),
      earlierCame: safe(describe(earlier), key),
    }),
  }
}

/** What the check itself found, and what all responses so far say about its rule. */
export function withVerdict(
  own: Outcome,
  { id, unjudged }: Pick<Check, 'id' | 'unjudged'>,
  verdicts: Verdicts,
  key: string,
) {
  const { broken, judged } = verdicts.of(id)
  if (own.outcome === 'failed') return own
  if (broken !== undefined) return failed(broken, key)
  if (own.outcome === 'passed' && unjudged !== undefined && judged === 0) return skipped(unjudged)
  return own
}

/** A server may send the key back, or a part of it, and sends the secrets of new ones. */
export function safe(text: string, key: string): string {
  return printable(hideKey(text, key))
}

/**
 * A text of a server for terminals, XML and web pages: control characters, marks that turn the direction of writing and
 * lone surrogates are escaped as in JSON.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
