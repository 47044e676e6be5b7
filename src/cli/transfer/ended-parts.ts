import type { EndedParts } from '../../inventory/snapshot.ts'
import { amount } from './format-numbers.ts'

/** What does not work any more in a database that comes from another one, a line for each. */
export function endedLines({ webhooks, invitations }: EndedParts): string {
  const lines: string[] = []
  if (webhooks > 0) {
    const those = webhooks === 1 ? '1 webhook is' : `${amount(webhooks, 'webhook')} are`
    lines.push(
      `${those} disabled now, so that no event is sent from two shops: enable those that this one shall serve.`,
    )
  }
  if (invitations > 0) {
    const those = invitations === 1 ? '1 open invitation has' : `${amount(invitations, 'open invitation')} have`
    lines.push(`${those} ended, so that none works twice: invite again.`)
  }
  return lines.map((line) => `${line}\n`).join('')
}
