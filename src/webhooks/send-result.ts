import type { DeliveryTry } from '../contract/delivery.ts'

/** What came of one try. */
export type SendResult = Pick<DeliveryTry, 'status' | 'durationMs' | 'error' | 'responseStart'>

/** 2xx. Anything else, also a redirect, is a failure. */
export function isDelivered({ status = 0 }: SendResult): boolean {
  return status >= 200 && status < 300
}

/** The endpoint wants no more deliveries. */
export function isGone({ status }: SendResult): boolean {
  return status === 410
}
