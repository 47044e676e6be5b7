import type { VNode } from 'preact'
import { type StatusOrNone, statusesOrNone } from '../state/statuses.ts'

interface StatusBarProps {
  counts: Record<StatusOrNone, number>
  /** As many as the whole bar stands for. */
  most: number
}

/** Animals by status as parts of a bar. Their numbers are beside it as text, so it is decorative. */
export function StatusBar({ counts, most }: StatusBarProps): VNode {
  let before = 0
  const parts = statusesOrNone.map((name) => {
    const share = (counts[name] / most) * 100
    // The smallest share stays visible.
    const part = share > 0 && (
      <rect key={name} class="value" data-status={name} x={before} width={Math.max(share, 0.5)} height="1" />
    )
    before += share
    return part
  })
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="track" width="100" height="1" />
      {parts}
    </svg>
  )
}
