import type { send } from '../http/send.ts'

export interface ShopOptions {
  /** The base address. */
  url: URL
  key: string
  /** Whether no animal may be added. */
  readOnly: boolean
  requestsPerSecond: number
  timeoutMs: number
  /** How long an animal that was added may take to be seen: the contract does not say at once. */
  settleMs: number
  /** The time, in milliseconds. */
  clock: () => number
  maxBodyBytes: number
  /** A category that the shop takes. Default: one is looked for. */
  category?: bigint
  /** How long it may take to remove what was added. Default: ten minutes. */
  maxCleaningMs?: number
  /** Ends the run: nothing more is sent, except to remove what was added. */
  signal?: AbortSignal
  /** Sends a request, in the place of a connection. */
  transport?: typeof send
}
