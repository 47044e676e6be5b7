import type { DeliveryTry } from '../contract/delivery.ts'
import type { StalledReason } from '../contract/webhook.ts'
import type { Page } from './page.ts'

export type NewDeliveryTry = Omit<DeliveryTry, 'id'>

/** How far the deliveries to a webhook are. */
export interface DeliveryPosition {
  webhookId: bigint
  /** All events up to this one are delivered, or are not for this webhook. */
  eventId: bigint
  /** Failed tries of the next event. */
  attempts: number
  /** When the first of them began, and when the next try is due. Absent unless `attempts` is above 0. */
  failingSince?: number
  nextAttemptAt?: number
}

/** Deliveries that stand still for a reason of ours: since when, and why. */
export interface Stall {
  since: number
  reason: StalledReason
}

/** The right to deliver, which one process has. Each holder has a higher generation than the one before. */
export interface DeliveryLease {
  /** Of a process: unique, also after a failover that lost a generation. */
  holder: string
  generation: bigint
}

export interface DeliveryRecord {
  positions: readonly DeliveryPosition[]
  tries: readonly NewDeliveryTry[]
  /** The lineage in which the positions were read. Without one it is not checked. */
  lineage?: string | undefined
}

/** Longer than a process needs to take a lease that has ended. */
export const unattendedAfterMs = 15_000

export const maxTriesPerWebhook = 1_000
export const tryRetentionMs = 7 * 24 * 60 * 60 * 1_000

/**
 * The bookkeeping of the deliveries to webhooks. Its writes do not change the `version` of the storage.
 * test/storage/deliveries.test.ts defines it for every engine.
 */
export interface Deliveries {
  /**
   * The lease for `leaseMs`, by the clock of the database, with a new generation; undefined while another holder has
   * it. An engine whose database is on this machine gives it to a process that asks for the first time, whoever has it.
   */
  acquire(holder: string, leaseMs: number): Promise<DeliveryLease | undefined>

  /** Extends the lease. False if another holder has it. */
  renew(lease: DeliveryLease, leaseMs: number): Promise<boolean>

  /** Ends the lease, so that others need not wait for its end. */
  release(lease: DeliveryLease): Promise<void>

  /**
   * Stores all of it and extends the lease, or nothing. False if another holder has the lease, or if the database does
   * not have the positions: after a failover to a server that had less, the same ids are given to other events.
   */
  record(lease: DeliveryLease, leaseMs: number, record: DeliveryRecord): Promise<boolean>

  /** Of all webhooks that have one, in any order. */
  positions(): Promise<DeliveryPosition[]>

  /** Since when the next event of an enabled webhook fails, by its id; only of those for which it does. */
  failing(): Promise<Map<bigint, number>>

  /**
   * Since when no process has had the lease although there are enabled webhooks; undefined unless for longer than
   * `unattendedAfterMs`, by the clock of the database.
   */
  unattendedSince(): Promise<number | undefined>

  /** Stores a try that moves no position: of a test, or of an event that is sent again. Resolves to its id. */
  addTry(attempt: NewDeliveryTry): Promise<bigint>

  /** At most `limit` tries of a webhook below the id `before`, or from the latest, in descending order. */
  list(webhookId: bigint, limit: number, before?: bigint): Promise<Page<DeliveryTry>>

  /** Undefined if the webhook has no try with this id. */
  find(webhookId: bigint, id: bigint): Promise<DeliveryTry | undefined>

  /** Deletes, for these webhooks, all tries but the latest `maxTriesPerWebhook`. */
  forget(webhookIds: readonly bigint[]): Promise<void>

  /**
   * Deletes tries before `before`, a limited number at a time, and the positions of webhooks that were removed; resolves
   * to the number of tries.
   */
  forgetOld(before: number): Promise<number>
}
