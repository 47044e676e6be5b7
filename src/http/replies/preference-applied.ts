import type { Exchange } from '../exchange.ts'

/** Confirms a preference to the client (RFC 7240, 3). */
export function confirmPreference({ replyHeaders }: Exchange, applied: string): void {
  replyHeaders['preference-applied'] = withPreference(replyHeaders['preference-applied'], applied)
}

export function withPreference(before: string | undefined, applied: string): string {
  return before === undefined ? applied : `${before}, ${applied}`
}
