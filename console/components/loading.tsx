import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A placeholder for text that is loading. */
export function Loading({ lines = 6, label = 'Loading' }: { lines?: number; label?: string }): VNode {
  return (
    <div class="loading" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** After this time a user is told that something is going on. */
const slowMs = 300

/** What to say about a search that is not over at once. */
export function useSearchText(isSearching: boolean): string {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isSearching) return
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isSearching])
  return isSearching && isSlow ? 'Searching…' : ''
}

/** A placeholder for an empty list. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <EmptyPaws />
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  )
}

function EmptyPaws(): VNode {
  const paw = (x: number, y: number, turn: number): VNode => (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <ellipse cx="-7" cy="-3" rx="2.2" ry="3" />
      <ellipse cx="-2.5" cy="-8" rx="2.2" ry="3.2" />
      <ellipse cx="2.5" cy="-8" rx="2.2" ry="3.2" />
      <ellipse cx="7" cy="-3" rx="2.2" ry="3" />
      <path d="M0-2c-3.5 0-6.5 3.4-6.5 6.2C-6.5 6-5.2 7-3.7 7-2.3 7-1.3 6.2 0 6.2S2.3 7 3.7 7c1.5 0 2.8-1 2.8-2.8C6.5 1.4 3.5-2 0-2z" />
    </g>
  )
  return (
    <svg class="paws" viewBox="0 0 120 60" aria-hidden="true" focusable="false">
      {paw(18, 42, 62)}
      {paw(44, 22, 78)}
      {paw(74, 38, 84)}
      {paw(102, 18, 70)}
    </svg>
  )
}
