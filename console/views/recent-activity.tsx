import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatTime } from '../components/format.ts'
import { useFeedState } from '../state/feed.ts'
import { useRecentActivity } from '../state/recent-activity.ts'
import { hrefOf } from '../state/route.ts'
import { Author, EventSentence } from './activity/event-sentence.tsx'

/** The latest events. */
export function RecentActivity(): VNode {
  const { entries, names, isLoading } = useRecentActivity()
  const state = useFeedState()
  useMinutes()
  return (
    <section class="card recent-activity" aria-labelledby="recent-activity">
      <h2 id="recent-activity">Recent activity</h2>
      <a class="more" href={hrefOf('activity')}>
        All activity
      </a>
      {entries.length === 0 ? (
        !isLoading && (
          <p class="quiet">
            {state === 'live' ? 'Changes show here the moment they happen.' : 'Changes will show here once connected.'}
          </p>
        )
      ) : (
        <ol>
          {entries.map((entry) => (
            <li key={entry.event.id}>
              <p>
                <EventSentence entry={entry} names={names} />
              </p>
              <span class="quiet">
                <Author event={entry.event} /> <time datetime={entry.event.time}>{formatTime(entry.event.time)}</time>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** Updates the texts of times: "today" becomes "yesterday". */
function useMinutes(): void {
  const [, setMinute] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMinute((minute) => minute + 1), 60_000)
    return () => clearInterval(timer)
  }, [])
}
