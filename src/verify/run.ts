import { type Check, type Level, levels } from './shop/check.ts'
import { allChecks } from './checks/all.ts'
import { type Cleanup, cleanUp } from './shop/cleanup.ts'
import { curlOf } from './shop/exchange.ts'
import { Broken, Skipped } from './shop/expect.ts'
import { shuffle } from './shuffle.ts'
import { Shop } from './shop/shop.ts'
import type { ShopOptions } from './shop/shop-options.ts'
import { Stock } from './shop/stock.ts'

export interface RunOptions extends ShopOptions {
  level: Level
  /** The only check to run. */
  only?: string
  /** The order of the checks; that of the contract without it. */
  seed?: number
  /** The checks to choose from. Default: all. */
  checks?: readonly Check[]
  /** Called after each check. */
  progress?: (result: Result, index: number, count: number) => void
}

export interface Result extends Omit<Check, 'run' | 'needsWrite'> {
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  reason?: string
  /** Of a failed check: a curl line, what the contract expects, and what came. */
  sent?: string
  expected?: string
  came?: string
  durationMs: number
}

export interface Report {
  url: string
  level: Level
  seed?: number
  startedAt: string
  durationMs: number
  requests: number
  /** Why nothing could be judged: there was no HTTP response, or none but 429. */
  unreachable?: string
  results: Result[]
  cleanup: Cleanup
}

/** Runs the checks one after the other, then removes what they added. Never rejects for anything the shop does. */
export async function run(options: RunOptions): Promise<Report> {
  const { url, key, level, only, seed, signal, clock, checks: candidates = allChecks } = options
  const shop = new Shop(options)
  const subject = { shop, stock: new Stock(shop) }
  const startedAt = performance.now()
  const isIncluded = (check: Check) => levels.indexOf(check.level) <= levels.indexOf(level)
  const chosen = candidates.filter((check) => (only === undefined ? isIncluded(check) : check.id === only))
  const checks = seed === undefined ? chosen : shuffle(chosen, seed)
  const startTime = new Date(clock()).toISOString()

  const results: Result[] = []
  let unreachable: string | undefined
  let cleanup: Cleanup
  try {
    unreachable = await reach(shop)
    for (const { run: runCheck, needsWrite, ...check } of checks) {
      const checkStartedAt = performance.now()
      const isReached = unreachable === undefined
      const skip = skipReason({ needsWrite, isReached, readOnly: options.readOnly, isEnded: signal?.aborted === true })
      const outcome = skip === undefined ? await attempt(() => runCheck(subject), key) : skipped(skip)
      const result = { ...check, ...outcome, durationMs: Math.round(performance.now() - checkStartedAt) }
      results.push(result)
      options.progress?.(result, results.length, checks.length)
    }
  } finally {
    // Also after a fault of a check itself.
    cleanup = await cleanUp(shop)
  }
  return {
    url: url.href,
    level,
    ...(seed !== undefined && { seed }),
    startedAt: startTime,
    durationMs: Math.round(performance.now() - startedAt),
    requests: shop.requests,
    ...(unreachable !== undefined && { unreachable: safe(unreachable, key) }),
    results,
    cleanup,
  }
}

/**
 * Whether one of the three operations sends an HTTP response other than 429. Without this, each check would wait in
 * vain. Returns a sentence that says why not.
 */
async function reach(shop: Shop): Promise<string | undefined> {
  try {
    // Shows also which animals are not ours.
    await shop.list('?limit=100')
    if (!shop.hasResponded) await shop.get(1n)
    if (!shop.hasResponded) await shop.send({ method: 'POST', path: '/pets', body: '{}', authorization: null })
  } catch (error) {
    if (!(error instanceof Skipped)) throw error
    return `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`
  }
  return shop.hasResponded ? undefined : `The server ${shop.lastFault ?? 'was not asked'}.`
}

type Outcome = Pick<Result, 'outcome' | 'reason' | 'sent' | 'expected' | 'came'>

function skipped(reason: string): Outcome {
  return { outcome: 'skipped', reason }
}

function skipReason(facts: { needsWrite: boolean; isReached: boolean; readOnly: boolean; isEnded: boolean }) {
  if (facts.isEnded) return 'the run was interrupted'
  if (!facts.isReached) return 'nothing can be judged'
  return facts.needsWrite && facts.readOnly ? 'it changes the shop, and --read-only forbids that' : undefined
}

async function attempt(check: () => Promise<void>, key: string): Promise<Outcome> {
  try {
    await check()
    return { outcome: 'passed' }
  } catch (error) {
    if (error instanceof Skipped) return skipped(safe(error.message, key))
    if (!(error instanceof Broken)) throw error
    const { exchange, expected, came } = error
    const sent = exchange === undefined ? {} : { sent: safe(curlOf(exchange, key), key) }
    return { outcome: 'failed', ...sent, expected: safe(expected, key), came: safe(came, key) }
  }
}

/** A server may send the key back, and sends the secrets of new ones. */
function safe(text: string, key: string): string {
  return printable(
    text.replaceAll(key, '$KEY').replaceAll(/\bpet_(?:live|test|invite)_\w+|\bwhsec_[\w+/=-]+/g, '$NEW_KEY'),
  )
}

/** 0: every rule holds. 1: one is broken. 2: nothing could be judged. */
export function exitCodeOf({ unreachable, results }: Report): 0 | 1 | 2 {
  if (unreachable !== undefined) return 2
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0
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
