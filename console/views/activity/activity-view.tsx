import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { NothingSoFar, Pager } from '../../components/pager.tsx'
import { type ActivityPage, readActivity, rangeOf } from '../../state/activity.ts'
import { isPetChange, petIdOf } from '../../state/feed.ts'
import { useLive } from '../../state/live.ts'
import { loadPetNames, usePetNames } from '../../state/pet-names.ts'
import { hrefOf, type Query, useScrollPosition } from '../../state/route.ts'
import { ActivityFilters, kindOf } from './activity-filters.tsx'
import { DetailedActivityList } from './activity-list.tsx'
import { RecentImports } from './recent-imports.tsx'

const olderAndNewer = { previous: 'Newer', next: 'Older' }

/** What happened in the shop, the latest first. */
export function ActivityView({ query }: { query: Query }): VNode {
  const { by: keyid, cursor = '' } = query
  const kind = kindOf(query['kind'])
  const day = query['day'] !== undefined && rangeOf(query['day']) !== undefined ? query['day'] : undefined
  const isFiltered = [kind, keyid, day, query['cursor']].some((one) => one !== undefined)
  const list = `activity ${kind ?? ''} ${encodeURIComponent(keyid ?? '')} ${day ?? ''}`
  const page = useLive<ActivityPage>(
    `${list} ${cursor}`,
    (signal) => readActivity({ kind, keyid, day }, cursor === '' ? undefined : cursor, signal),
    { concerns: (change) => cursor === '' && 'time' in change },
  )
  const { result, error, isLoading, isStale, reload } = page
  useScrollPosition(`${list} ${cursor}`, result !== undefined && !isStale)
  const names = usePetNames()
  const orders = (result?.items ?? []).flatMap(({ entries }) => entries).filter(({ event }) => !isPetChange(event))
  const missing = orders.map(({ event }) => petIdOf(event)).filter((id) => !names.has(id))
  useEffect(() => {
    if (missing.length > 0) void loadPetNames(missing)
  }, [missing.join()])
  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Activity</h1>
      </div>
      <ActivityFilters kind={kind} keyid={keyid} day={day} activities={result?.items ?? []} />
      {!isFiltered && <RecentImports onUndone={() => void reload()} />}
      <ErrorNotice error={error} retry={reload} />
      <div class="card recent-activity" aria-busy={isLoading || isStale ? 'true' : 'false'}>
        {result === undefined ? (
          error === undefined && <Loading label="Loading the activity" />
        ) : result.items.length > 0 ? (
          <DetailedActivityList activities={result.items} isOpenEnded={result.isOpenEnded} names={names} />
        ) : result.cursor !== undefined ? (
          <NothingSoFar next={result.cursor} />
        ) : (
          <Empty title="Nothing happened">
            {isFiltered ? (
              <a href={hrefOf('activity')}>Show all activity</a>
            ) : (
              'Nothing has changed in this shop so far.'
            )}
          </Empty>
        )}
      </div>
      <Pager list={list} cursor={cursor} page={page} one="entry" many="entries" texts={olderAndNewer} />
    </div>
  )
}
