/** What a check of the doctor found, and what to do about it. */
export interface Finding {
  check: string
  /** A problem keeps the service from running safely. A warning does not. */
  result: 'ok' | 'warning' | 'problem'
  sentence: string
}

export function ok(check: string, sentence: string): Finding {
  return { check, result: 'ok', sentence }
}

export function warning(check: string, sentence: string): Finding {
  return { check, result: 'warning', sentence }
}

export function problem(check: string, sentence: string): Finding {
  return { check, result: 'problem', sentence }
}

/** The findings of a check, or `well` if there are none. */
export function orOk(found: readonly Finding[], check: string, well: string): Finding[] {
  return found.length > 0 ? [...found] : [ok(check, well)]
}
