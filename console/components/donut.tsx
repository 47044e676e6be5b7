import type { VNode } from 'preact'
import { formatCount, noun } from './format.ts'

const radius = 42
const length = 2 * Math.PI * radius
/** The gap between two parts, in drawing units. */
const gap = 2.4

interface DonutProps {
  parts: readonly { name: string; count: number }[]
  total: number
}

/** Shares as a ring, with the total in its middle. The numbers are beside it as text, so it is decorative. */
export function Donut({ parts, total }: DonutProps): VNode {
  const shown = parts.filter(({ count }) => count > 0)
  let before = 0
  const arcs = shown.map(({ name, count }) => {
    const share = (count / total) * length
    // The smallest share stays visible.
    const drawn = shown.length === 1 ? length : Math.max(share - gap, 1)
    const arc = (
      <circle
        key={name}
        data-status={name}
        cx="50"
        cy="50"
        r={radius}
        stroke-dasharray={`${drawn} ${length - drawn}`}
        stroke-dashoffset={-(before + gap / 2)}
      />
    )
    before += share
    return arc
  })
  return (
    <div class="donut">
      <svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">
        {arcs}
      </svg>
      <p class="donut-total">
        <strong>{formatCount(total)}</strong> <span>{noun(total, 'animal', 'animals')}</span>
      </p>
    </div>
  )
}
