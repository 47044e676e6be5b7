import type { Anomaly, Call } from './history.ts'
import type { Touch } from './touch.ts'

/** When a value can have been there, at the earliest and at the latest. */
interface Life {
  start: number
  end: number
  calls: Call[]
}

/**
 * What one answer shows of several values was there at one moment: none of them was surely gone before another one can
 * have come. No value is given twice.
 */
export function checkMoments(touches: readonly Touch[]): Anomaly[] {
  const lives = new Map<string, Life>()
  for (const [of, parts] of Map.groupBy(touches, (touch) => touch.of))
    for (const [value, life] of livesOf(parts)) lives.set(`${of} ${value}`, life)

  const wrong: Anomaly[] = []
  const shown = touches.filter(({ shows = null }) => shows !== null)
  for (const [call, parts] of Map.groupBy(shown, (touch) => touch.call)) {
    const seen = parts.flatMap(({ of, shows }) => lives.get(`${of} ${shows}`) ?? [])
    const last = seen.toSorted((a, b) => b.start - a.start)[0]
    const first = seen.toSorted((a, b) => a.end - b.end)[0]
    if (last !== undefined && first !== undefined && last.start > first.end)
      wrong.push({
        rule: 'an answer shows what was never there at one moment',
        calls: [...new Set([...first.calls, ...last.calls, call])],
      })
  }
  return wrong
}

function livesOf(parts: readonly Touch[]): Map<string, Life> {
  const lives = new Map<string, Life>()
  const changes = parts.filter(({ call, becomes }) => becomes !== undefined && call.answer !== undefined)
  for (const { call, becomes = null } of parts) {
    if (becomes === null) continue
    const showing = parts.filter((part) => part.shows === becomes).map((part) => part.call.returned)
    const known = Math.min(...showing, call.answer === undefined ? Infinity : call.returned)
    const end = changes
      .filter((part) => part.call.invoked > known)
      .toSorted((a, b) => a.call.returned - b.call.returned)[0]
    lives.set(becomes, {
      start: call.invoked,
      end: end?.call.returned ?? Infinity,
      calls: end === undefined ? [call] : [call, end.call],
    })
  }
  return lives
}
