import type { ResponseState } from '../response-state.ts'

/** Confirms a preference to the client (RFC 7240, 3). */
export function confirmPreference({ headers }: ResponseState, applied: string): void {
  headers['preference-applied'] = withPreference(headers['preference-applied'], applied)
}

export function withPreference(before: string | undefined, applied: string): string {
  return before === undefined ? applied : `${before}, ${applied}`
}
