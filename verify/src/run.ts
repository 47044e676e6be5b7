import { allChecks } from './checks/all.ts'
import { Model } from './model/model.ts'
import { attempt, type Outcome, safe, skipped, withVerdict } from './outcome.ts'
import { type Check, type Level, levels, turnOf, turns } from './shop/check.ts'
import { type Cleanup, cleanUp } from './shop/cleanup.ts'
import { hideWholeKey } from './shop/hidden-key.ts'
import { reach } from './shop/reach.ts'
import { Shop } from './shop/shop.ts'
import type { ShopOptions } from './shop/shop-options.ts'
import { Stock } from './shop/stock.ts'
import { shuffle } from './shuffle.ts'

export interface RunOptions extends ShopOptions {
  level: Level
  /** The only check to run. */
  only?: string
  /** Whether a rule that could not be judged is a failure. */
  requireAll?: boolean
  /** Whether the first broken rule ends the run. */
  bail?: boolean
  /** The order of the checks; that of the contract without it. */
  seed?: number
  /** The checks to choose from. Default: all. */
  checks?: readonly Check[]
  /** Called after each check, and again for each that a later response has failed. Never if nothing can be judged. */
  progress?: (result: Result, index: number, count: number) => void
}

export interface Result extends Omit<Check, 'begin' | 'run' | 'needsWrite' | 'unjudged' | 'turn' | 'isDue'>, Outcome {
  durationMs: number
}

export interface Report {
  url: string
  level: Level
  seed?: number
  startedAt: string
  durationMs: number
  /** How much of it the clean-up took. */
  cleanupMs: number
  requests: number
  /** Why nothing could be judged: there was no HTTP response, none but 429, or the key is refused. */
  unreachable?: string
  /** Why the run is no pass, though no rule is broken. */
  incomplete?: string
  requireAll?: true
  results: Result[]
  cleanup: Cleanup
}

/**
 * Runs the checks one after the other, then removes what they added. A model judges every response, those of set-up and
 * clean-up too. Never rejects for anything the shop does.
 */
export async function run(options: RunOptions): Promise<Report> {
  const { url, key, level, seed, signal, clock, progress, readOnly, requireAll = false, bail = false } = options
  const shop = new Shop(options)
  const model = new Model({ ...options, mark: shop.mark, markCategory: shop.markCategory })
  shop.observer = model
  const subject = { shop, stock: new Stock(shop) }
  const startedAt = performance.now()
  const startTime = new Date(clock()).toISOString()
  const checks = choose(options)

  const results: Result[] = []
  /** What each check found by itself. */
  const owns = new Map<string, Outcome>()
  const told = new Map<string, Outcome['outcome']>()
  let unreachable: string | undefined
  const tell = (result: Result) => {
    if (unreachable !== undefined) return
    if (told.get(result.id) !== result.outcome) progress?.(result, results.length, checks.length)
    told.set(result.id, result.outcome)
  }
  let cleanup: Cleanup
  let cleanupStartedAt: number
  let hasBegun = false
  try {
    unreachable = await reach(shop)
    for (const check of checks) {
      const checkStartedAt = performance.now()
      const isReached = unreachable === undefined
      const isBroken = bail && hasBroken(results, model)
      const skipOf = (one: Check) =>
        skipReason(one, { isReached, readOnly, isBroken, isEnded: signal?.aborted === true })
      if (!hasBegun && turnOf(check) !== 'few') {
        hasBegun = true
        // What it could not do, its check reports.
        for (const one of checks)
          if (skipOf(one) === undefined) await attempt(async () => void (await one.begin?.(subject)), key)
      }
      const skip = skipOf(check)
      const own = skip === undefined ? await attempt(() => check.run(subject), key) : skipped(skip)
      owns.set(check.id, own)
      const outcome = skip === undefined ? withVerdict(own, check, model.verdicts, key) : own
      const result = resultOf(check, outcome, performance.now() - checkStartedAt)
      results.push(result)
      // A rule that no response was judged by yet may be judged by later ones.
      if (own.outcome !== 'passed' || outcome.outcome !== 'skipped') tell(result)
    }
    const isOver = unreachable !== undefined || (bail && hasBroken(results, model))
    if (!isOver) await attempt(() => subject.stock.showAll(), key)
  } finally {
    cleanupStartedAt = performance.now()
    // Also after a fault of a check itself.
    cleanup = await cleanUp(shop)
  }
  const cleanupMs = Math.round(performance.now() - cleanupStartedAt)
  model.finish()
  for (const late of unreachable === undefined ? lateResults(results, owns, model, options) : []) {
    const index = results.findIndex(({ id }) => id === late.id)
    results.splice(index === -1 ? results.length : index, index === -1 ? 0 : 1, late)
  }
  for (const result of results) tell(result)
  const isEnded = signal?.aborted === true
  if (!isEnded && results.length > 0 && results.every(({ outcome }) => outcome === 'skipped'))
    unreachable ??= sentenceOf(results[0]?.reason ?? '')
  const incomplete = isEnded || readOnly ? undefined : whyIncomplete(results, checks, shop)
  return {
    url: hideWholeKey(url.href, key),
    level,
    ...(seed !== undefined && { seed }),
    startedAt: startTime,
    durationMs: Math.round(performance.now() - startedAt),
    cleanupMs,
    requests: shop.requests,
    ...(unreachable !== undefined && { unreachable: safe(unreachable, key) }),
    ...(unreachable === undefined && incomplete !== undefined && { incomplete }),
    ...(requireAll && { requireAll }),
    results,
    cleanup: safeCleanup(cleanup, key),
  }
}

/** Ids are texts of the shop, too. */
function safeCleanup({ removed, left, orders, keys, notes }: Cleanup, key: string): Cleanup {
  const all = (texts: readonly string[]) => texts.map((text) => safe(text, key))
  return { removed, left: all(left), orders: all(orders), keys: all(keys), notes: all(notes) }
}

function hasBroken(results: readonly Result[], { verdicts }: Model): boolean {
  return verdicts.brokenRules().length > 0 || results.some(({ outcome }) => outcome === 'failed')
}

function choose({ level, only, seed, clock, checks = allChecks }: RunOptions): Check[] {
  const placeOf = (check: Check) => turns.indexOf(turnOf(check))
  const isIncluded = (check: Check) => levels.indexOf(check.level) <= levels.indexOf(level)
  const isDue = ({ isDue: due }: Check) => due === undefined || due(clock())
  if (only !== undefined) return checks.filter(({ id }) => id === only)
  const chosen = checks.filter((check) => isIncluded(check) && isDue(check))
  return seed === undefined ? chosen.toSorted((a, b) => placeOf(a) - placeOf(b)) : shuffle(chosen, seed)
}

function resultOf(check: Check, outcome: Outcome, durationMs: number): Result {
  const { id, name, level, section, sentence, conclusion } = check
  const rule = { id, name, level, section, sentence, ...(conclusion !== undefined && { conclusion }) }
  return { ...rule, ...outcome, durationMs: Math.round(durationMs) }
}

/**
 * Rules that later responses have judged or broken, those of the clean-up too. What is broken counts, whether or not its
 * check was chosen.
 */
function lateResults(
  results: readonly Result[],
  owns: ReadonlyMap<string, Outcome>,
  { verdicts }: Model,
  { key, checks = allChecks }: RunOptions,
): Result[] {
  const broken = new Set(verdicts.brokenRules())
  return checks.flatMap((check) => {
    const earlier = results.find(({ id }) => id === check.id)
    if (earlier === undefined && !broken.has(check.id)) return []
    const outcome = withVerdict(owns.get(check.id) ?? { outcome: 'passed' }, check, verdicts, key)
    return outcome.outcome === earlier?.outcome ? [] : [resultOf(check, outcome, earlier?.durationMs ?? 0)]
  })
}

function skipReason(
  { needsWrite }: Check,
  facts: { isReached: boolean; readOnly: boolean; isBroken: boolean; isEnded: boolean },
): string | undefined {
  if (facts.isEnded) return 'the run was interrupted'
  if (!facts.isReached) return 'nothing can be judged'
  if (facts.isBroken) return 'another rule is broken, and --bail ends the run'
  return needsWrite && facts.readOnly ? 'it changes the shop, and --read-only forbids that' : undefined
}

/** A shop that takes no animal shows little of what it does. */
function whyIncomplete(results: readonly Result[], checks: readonly Check[], shop: Shop): string | undefined {
  if (shop.acceptedCreates > 0 || !checks.some(({ needsWrite }) => needsWrite)) return undefined
  const reason = results.find(({ outcome, id }) => outcome === 'skipped' && id.startsWith('C-4.2'))?.reason
  return `The shop accepted no create${reason === undefined ? '' : `: ${reason}`}.`
}

function sentenceOf(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`
}

/** 0: no rule is broken. 1: one is, or not judged though all are required. 2: the run says nothing, or too little. */
export function exitCodeOf({ unreachable, incomplete, requireAll, results }: Report): 0 | 1 | 2 {
  if (unreachable !== undefined) return 2
  const has = (wanted: Result['outcome']) => results.some(({ outcome }) => outcome === wanted)
  if (has('failed') || (requireAll === true && has('skipped'))) return 1
  return incomplete === undefined ? 0 : 2
}
