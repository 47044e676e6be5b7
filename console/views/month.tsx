import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { DayChart } from '../components/day-chart.tsx'
import { formatCount } from '../components/format.ts'
import { Mark } from '../components/status.tsx'
import { type ChartDay, readDays } from '../state/days.ts'
import { type Change, followFeed } from '../state/feed.ts'
import { useLive } from '../state/live.ts'

/** A busy shop must not use up the requests of its staff. */
const pauseMs = 10_000

/** Calls `reload` after an animal was added or sold: at once, but not again within the pause. */
function useSeldom(reload: () => unknown): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAt = -Infinity
    const stopFollowing = followFeed((signal) => {
      if (typeof signal === 'string' || timer !== undefined || !isCounted(signal)) return
      timer = setTimeout(
        () => {
          timer = undefined
          lastAt = performance.now()
          reload()
        },
        Math.max(0, lastAt + pauseMs - performance.now()),
      )
    })
    return () => {
      stopFollowing()
      clearTimeout(timer)
    }
  }, [])
}

function isCounted({ type }: Change): boolean {
  return type === 'petstore.pet.created' || type === 'petstore.order.completed'
}

/** What happened in the last 30 days. */
export function Month(): VNode | null {
  const { result, error, reload } = useLive<ChartDay[]>('days', readDays, { concerns: () => false })
  useSeldom(reload)
  // Its card is there from the start, so that the others stay in their places.
  if (result === undefined && error !== undefined) return null
  const sum = (of: (day: ChartDay) => number): string =>
    result === undefined ? '–' : formatCount(result.reduce((all, day) => all + of(day), 0))
  return (
    <section class="card month" aria-labelledby="month">
      <h2 id="month">The last 30 days</h2>
      <ul class="month-legend">
        <li>
          <Mark status="available" /> <strong>{sum(({ added }) => added)}</strong> added
        </li>
        <li>
          <Mark status="sold" /> <strong>{sum(({ sold }) => sold)}</strong> sold by order
        </li>
      </ul>
      {result !== undefined && <DayChart days={result} />}
      <p class="note">Animals that were removed since are counted too.</p>
    </section>
  )
}
