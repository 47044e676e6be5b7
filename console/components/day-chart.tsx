import type { VNode } from 'preact'
import type { ChartDay } from '../state/days.ts'
import { formatCount, formatDay } from './format.ts'

/** Of the drawing: the space of a day and of its two bars. */
const [dayWidth, barWidth, height] = [10, 3.6, 100]

/** Two bars for each day. The numbers are below it in a table for screen readers, so it is decorative. */
export function DayChart({ days }: { days: readonly ChartDay[] }): VNode {
  const most = Math.max(1, ...days.flatMap(({ added, sold }) => [added, sold]))
  const width = days.length * dayWidth
  return (
    <div class="day-chart">
      <p class="day-chart-most" aria-hidden="true">
        {formatCount(most)}
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <line x1="0" y1="0.5" x2={width} y2="0.5" />
        <line x1="0" y1={height / 2} x2={width} y2={height / 2} />
        <line x1="0" y1={height} x2={width} y2={height} />
        {days.map(({ date, added, sold }, index) => (
          <g key={date}>
            <title>{`${formatDay(date)}: ${formatCount(added)} added, ${formatCount(sold)} sold`}</title>
            <rect class="space" x={index * dayWidth} y="0" width={dayWidth} height={height} />
            <DayBar name="available" x={index * dayWidth + 1.2} share={added / most} />
            <DayBar name="sold" x={index * dayWidth + 1.2 + barWidth + 0.4} share={sold / most} />
          </g>
        ))}
      </svg>
      <p class="day-chart-ends" aria-hidden="true">
        <span>{formatDay(days[0]?.date)}</span> <span>{formatDay(days.at(-1)?.date)}</span>
      </p>
      <div class="visually-hidden">
        <table>
          <caption>Animals added and sold on each day, in UTC</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Added</th>
              <th scope="col">Sold</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, added, sold }) => (
              <tr key={date}>
                <th scope="row">{formatDay(date)}</th>
                <td>{formatCount(added)}</td>
                <td>{formatCount(sold)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** The smallest number stays visible. */
function DayBar({ name, x, share }: { name: string; x: number; share: number }): VNode | null {
  if (share === 0) return null
  const drawn = Math.max(share * height, 1.5)
  return <rect class="day-bar" data-status={name} x={x} y={height - drawn} width={barWidth} height={drawn} />
}
