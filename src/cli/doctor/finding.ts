/** What a check of the doctor found, and what to do about it. */
export interface Finding {
  check: string
  /** A problem keeps the service from running safely. A warning does not. */
  result: 'ok' | 'warning' | 'problem'
  sentence: string
}

type Found = [result: 'warning' | 'problem', sentence: string]

/** What was found, or, if nothing was, that all is well. */
export function findings(check: string, well: string, found: readonly Found[]): Finding[] {
  if (found.length === 0) return [{ check, result: 'ok', sentence: well }]
  return found.map(([result, sentence]) => ({ check, result, sentence }))
}
