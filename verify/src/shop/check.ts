import type { Shop } from './shop.ts'
import type { Stock } from './stock.ts'

/** The levels that there are. Each includes those before it. */
export const levels = ['contract', 'recommended', 'full'] as const
export type Level = (typeof levels)[number]

/**
 * The turns of a run. `few` adds a few animals. `refused` adds none if the shop is right: what was added gets its time to
 * be seen. `settled` needs an animal that every request finds. `many` may add more animals than fit in a page. `last` adds
 * none: the many get their time.
 */
export const turns = ['few', 'refused', 'settled', 'many', 'last'] as const
type Turn = (typeof turns)[number]

/** What a check works with. */
export interface Subject {
  shop: Shop
  stock: Stock
}

export interface Check {
  /** Stable: the level, the section of the contract or the subject of our document, a number, such as C-4.1-1. */
  id: string
  name: string
  level: Level
  /** Of the contract, or the subject of our document. */
  section: string
  /** What the contract says in that section, word by word; what we answer where it is silent; what our document offers. */
  sentence: string
  /** How the rule follows from the sentence, if the sentence does not say it by itself. */
  conclusion?: string
  /** Whether it adds animals by itself. Others use what the shop has if they may not. */
  needsWrite: boolean
  /** When it is run, unless a seed says so. Default: `few`, at the level `full` `many`. */
  turn?: Turn
  /**
   * Of a rule by which every response of the run is judged: why none was. `run` only sends what the rule can be judged
   * by.
   */
  unjudged?: string
  /** Whether the contract has the rule at this time. Default: always. */
  isDue?: (now: number) => boolean
  /** Is called before the checks of later turns than `few`: what it adds gets its time while these run. */
  begin?(subject: Subject): Promise<unknown>
  /** Resolves if the rule holds. Throws Broken, or Skipped if it cannot run. */
  run(subject: Subject): Promise<void>
}

/** What goes beyond the contract adds many animals in all: lists of the contract are to show the few before. */
export function turnOf({ level, turn = level === 'full' ? 'many' : 'few' }: Check): Turn {
  return turn
}

type Rule = Omit<Check, 'id' | 'level' | 'section' | 'needsWrite' | 'run'> & { run: Check['run'] }

/** A check that only reads, or uses animals that were added for all checks. */
export function reads(id: string, rule: Rule): Check {
  return { id, level: levelOf(id), section: sectionOf(id), needsWrite: false, ...rule }
}

/** A check that adds animals, or would if the shop is wrong. */
export function writes(id: string, rule: Rule): Check {
  return { id, level: levelOf(id), section: sectionOf(id), needsWrite: true, ...rule }
}

function levelOf(id: string): Level {
  return { C: 'contract', R: 'recommended', F: 'full' }[id[0] ?? ''] as Level
}

/** `C-4.1-1` is of section 4.1, `F-orders-2` of the orders. */
function sectionOf(id: string): string {
  return id.split('-')[1] ?? ''
}
