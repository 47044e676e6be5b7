import { useEffect } from 'preact/hooks'
import { type AppliedFault, type FaultRule, type JournalEntry, sandboxOf, type ShopClock } from '../api/sandbox.ts'
import { type Live, useLive } from './live.ts'
import { useSignedIn } from './session.ts'

/** How often the state is read. Reading may take a tenth of the time. */
const minIntervalMs = 2_000
const maxLoad = 0.1

/** The part of a shop that only a sandbox has. */
export interface SandboxState {
  /** `readAt` is the time of the page, in milliseconds from any moment. */
  clock: ShopClock & { readAt: number }
  faults: readonly AppliedFault[]
  /** The newest first. */
  requests: readonly JournalEntry[]
}

export type Sandbox = ReturnType<typeof sandboxOf>

/** The operations of the sandbox, with the key of the signed-in user. */
export function useSandbox(): Sandbox {
  return sandboxOf(useSignedIn().key)
}

/** The state of the sandbox, read again and again: none of it makes events. */
export function useSandboxState(sandbox: Sandbox): Live<SandboxState> {
  const live = useLive<SandboxState & { tookMs: number }>(
    'sandbox',
    async (signal) => {
      const startedAt = performance.now()
      const [clock, faults, requests] = await Promise.all([
        sandbox.readClock({ signal }),
        sandbox.listFaults({ signal }),
        sandbox.listRequests({ signal }),
      ])
      const readAt = performance.now()
      return { clock: { ...clock, readAt }, faults, requests: requests.toReversed(), tookMs: readAt - startedAt }
    },
    { concerns: () => false },
  )
  useEffect(() => {
    if (live.result === undefined) return
    const timer = setInterval(
      () => document.visibilityState === 'visible' && void live.reload(),
      Math.max(minIntervalMs, live.result.tookMs / maxLoad),
    )
    return () => clearInterval(timer)
  }, [live.result])
  return live
}

/** The milliseconds of the clock of a shop, now. */
export function timeOf({ now, speed, frozen, readAt }: SandboxState['clock']): number {
  return Date.parse(now) + (frozen ? 0 : (performance.now() - readAt) * speed)
}

/** The rules as they would be sent again: those that still have something to do, as often as is left. */
export function rulesLeft(faults: readonly AppliedFault[]): FaultRule[] {
  return faults.flatMap(({ applied, times, ...rule }) => {
    if (times === undefined) return [rule]
    return times > applied ? [{ ...rule, times: times - applied }] : []
  })
}

/** Whether this page sent a request itself, to show the shop. */
export function isOwnRequest({ headers }: JournalEntry): boolean {
  return headers['sec-fetch-site'] === 'same-origin'
}
