import type { Anomaly, Call } from './history.ts'
import { is, isThere, type Touch } from './touch.ts'

/** How long a revoked key may still work, on other machines. */
const revokedWithinMs = 1_000

/** What calls say about keys: whether they are active or revoked. */
export function* keyTouches(calls: readonly Call[]): Generator<Touch> {
  for (const call of calls) {
    const { ask, answer, isMaybe } = call
    const { status, body } = answer ?? {}
    switch (ask.kind) {
      case 'makeKey':
        if (status === 201) yield { of: `key ${(body as { id: string }).id}`, call, wants: is(null), becomes: 'active' }
        break
      case 'revokeKey':
        if (status === 200 || isMaybe) yield { of: `key ${ask.keyId}`, call, wants: isThere, becomes: 'revoked' }
        else if (answer !== undefined) yield { of: `key ${ask.keyId}`, call, wants: is(null) }
        break
      case 'getKey':
        if (answer !== undefined)
          yield { of: `key ${ask.keyId}`, call, wants: is(status === 200 ? (body as { state: string }).state : null) }
        break
      case 'useKey':
        // It may be accepted a little longer, but not refused before.
        if (status === 401) yield { of: `key ${ask.keyId}`, call, wants: (value) => value !== 'active' }
        break
      default:
    }
  }
}

/** A revoked key is refused everywhere within a second. */
export function checkRevoked(calls: readonly Call[]): Anomaly[] {
  const revokedBy = new Map<string, Call>()
  for (const call of calls) {
    if (call.ask.kind !== 'revokeKey' || call.answer?.status !== 200) continue
    const earlier = revokedBy.get(call.ask.keyId)
    if (earlier === undefined || call.returnedMs < earlier.returnedMs) revokedBy.set(call.ask.keyId, call)
  }
  return calls.flatMap((call) => {
    const revoked = call.ask.kind === 'useKey' ? revokedBy.get(call.ask.keyId) : undefined
    if (call.answer?.status !== 200 || revoked === undefined) return []
    const lateMs = call.invokedMs - revoked.returnedMs
    if (lateMs <= revokedWithinMs) return []
    return [{ rule: `a key works ${Math.floor(lateMs)} ms after it was revoked`, calls: [revoked, call] }]
  })
}
