import type { CallOptions } from '../../client/src/index.ts'
import { type AppliedFault, type ClockChange, type FaultRule, SandboxPetStore } from '../../client/src/sandbox.ts'
import { requestText } from './page-requests.ts'
import { clientOptions } from './service.ts'

export type { AppliedFault, ClockChange, FaultRule, JournalEntry, ShopClock } from '../../client/src/sandbox.ts'

/** For a file of up to 128 MiB. */
const fileTimeoutMs = 120_000

/** The operations of a sandbox, which have no faults. */
export function sandboxOf(key: string) {
  const { sandbox } = new SandboxPetStore({ ...clientOptions(), apiKey: key })

  /** The file as it is: the service names the line that is wrong. */
  async function sendFile(method: string, path: string, body: Blob): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' }
    const signal = AbortSignal.timeout(fileTimeoutMs)
    await requestText(`v1/sandbox/${path}`, { method, headers, body, signal })
  }

  return {
    reset: (seed?: 'empty' | 'demo') => sandbox.reset(seed),
    resetToFile: (file: Blob) => sendFile('POST', 'reset', file),
    saveSnapshot: () => sandbox.snapshot({ timeoutMs: fileTimeoutMs }),
    restoreSnapshot: (file: Blob) => sendFile('PUT', 'snapshot', file),
    readClock: (options: CallOptions) => sandbox.clock(undefined, options),
    changeClock: (change: ClockChange) => sandbox.clock(change),
    listFaults: (options?: CallOptions): Promise<AppliedFault[]> => sandbox.faults(undefined, options),
    replaceFaults: (rules: readonly FaultRule[]) => sandbox.faults(rules),
    listRequests: (options: CallOptions) => sandbox.journal({}, options),
    clearRequests: () => sandbox.clearJournal(),
  }
}
