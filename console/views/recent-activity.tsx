import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useFeedState } from '../state/feed.ts'
import { useRecentActivity } from '../state/recent-activity.ts'
import { hrefOf } from '../state/route.ts'
import { ActivityList } from './activity/activity-list.tsx'

/** The latest events. */
export function RecentActivity(): VNode {
  const { activities, isOpenEnded, names, isLoading } = useRecentActivity()
  const state = useFeedState()
  useMinutes()
  return (
    <section class="card recent-activity" aria-labelledby="recent-activity">
      <h2 id="recent-activity">Recent activity</h2>
      <a class="more" href={hrefOf('activity')}>
        All activity
      </a>
      {activities.length === 0 ? (
        !isLoading && (
          <p class="quiet">
            {state === 'live' ? 'Changes show here the moment they happen.' : 'Changes will show here once connected.'}
          </p>
        )
      ) : (
        <ActivityList activities={activities} isOpenEnded={isOpenEnded} names={names} />
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
