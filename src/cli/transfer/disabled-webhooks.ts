import { amount } from './format-numbers.ts'

/** Of a database that comes from another one. */
export function disabledSentence(count: number): string {
  const those = count === 1 ? '1 webhook is' : `${amount(count, 'webhook')} are`
  return `${those} disabled now, so that no event is sent from two shops: enable those that this one shall serve.`
}
