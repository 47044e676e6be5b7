import type { VNode } from 'preact'
import { formatFullTime, formatTime } from './format.ts'

/** A time, on paper with its date. */
export function Time({ at }: { at: string }): VNode {
  return (
    <time datetime={at}>
      <span class="on-screen">{formatTime(at)}</span>
      <span class="on-paper">{formatFullTime(at)}</span>
    </time>
  )
}
