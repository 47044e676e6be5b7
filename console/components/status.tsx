import type { VNode } from 'preact'
import type { OrderStatus } from '../../client/src/index.ts'
import type { StatusOrNone } from '../state/statuses.ts'

/** The status of an animal or of an order. */
export type AnyStatus = StatusOrNone | OrderStatus

export const statusText: Record<AnyStatus, string> = {
  available: 'Available',
  pending: 'Pending',
  sold: 'Sold',
  none: 'No status',
  placed: 'Open',
  completed: 'Completed',
  cancelled: 'Cancelled',
}

/** Shown as text, with shape and colour. */
export function Status({ value = 'none' }: { value?: AnyStatus | undefined }): VNode {
  return (
    <span class="status" data-status={value}>
      <Mark status={value} />
      {statusText[value]}
    </span>
  )
}

/** A disc, a half, a tick, a dash: distinguishable without colour. */
export function Mark({ status }: { status: AnyStatus }): VNode {
  const { line, fill = '' } = shapes[status]
  return (
    <svg class="mark" data-status={status} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path class="fill" d={fill} />
      <path class="line" d={line} />
    </svg>
  )
}

const ring = 'M6 1.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4z'
const tick = { line: 'M1.8 6.4l2.9 2.9L10.2 3' }
const half = { line: ring, fill: 'M6 1.8a4.2 4.2 0 0 1 0 8.4z' }

const shapes: Record<AnyStatus, { line: string; fill?: string }> = {
  available: { line: ring, fill: ring },
  pending: half,
  sold: tick,
  none: { line: 'M2 6h8' },
  placed: half,
  completed: tick,
  cancelled: { line: 'M2.5 2.5l7 7M9.5 2.5l-7 7' },
}
