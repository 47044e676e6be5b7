import type { Exchange } from '../shop/exchange.ts'
import { Broken } from '../shop/expect.ts'

interface Verdict {
  /** How many responses were judged by the rule. */
  judged: number
  /** The first contradiction. */
  broken?: Broken
}

/** What is wrong with a response, and with which earlier one it does not agree. */
export interface Contradiction {
  exchange: Exchange
  expected: string
  came?: string
  earlier?: Exchange | undefined
}

/** What the responses of a run say about each rule. */
export class Verdicts {
  readonly #byRule = new Map<string, Verdict>()

  /** A response was judged by a rule, which holds if there is no contradiction. */
  judge(rule: string, contradiction: Contradiction | undefined | false): void {
    const verdict = this.#byRule.get(rule) ?? { judged: 0 }
    this.#byRule.set(rule, verdict)
    verdict.judged++
    if (contradiction === undefined || contradiction === false || verdict.broken !== undefined) return
    const { exchange, expected, came, earlier } = contradiction
    verdict.broken = new Broken(exchange, expected, came, earlier)
  }

  of(rule: string): Verdict {
    return this.#byRule.get(rule) ?? { judged: 0 }
  }

  brokenRules(): string[] {
    return [...this.#byRule].filter(([, { broken }]) => broken !== undefined).map(([rule]) => rule)
  }
}
