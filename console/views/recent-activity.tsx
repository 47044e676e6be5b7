import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ShopEvent } from '../../client/src/index.ts'
import { formatTime, shortName } from '../components/format.ts'
import { useFeedState } from '../state/feed.ts'
import { useRecentActivity } from '../state/recent-activity.ts'
import { hrefOfAnimal } from '../state/route.ts'
import { By } from './by.tsx'
import { OrderLink } from './orders/order-link.tsx'

/** The latest events. */
export function RecentActivity(): VNode {
  const { entries, names, isLoading } = useRecentActivity()
  const state = useFeedState()
  useMinutes()
  return (
    <section class="card recent-activity" aria-labelledby="recent-activity">
      <h2 id="recent-activity">Recent activity</h2>
      {entries.length === 0 ? (
        !isLoading && (
          <p class="quiet">
            {state === 'live' ? 'Changes show here the moment they happen.' : 'Changes will show here once connected.'}
          </p>
        )
      ) : (
        <ol>
          {entries.map(({ event }) => (
            <li key={event.id}>
              <p>
                <Sentence event={event} names={names} />
              </p>
              <span class="quiet">
                <By event={event} /> <time datetime={event.time}>{formatTime(event.time)}</time>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const petVerbs = {
  'petstore.pet.created': 'was added',
  'petstore.pet.updated': 'was changed',
  'petstore.pet.deleted': 'was deleted',
}

function Sentence({ event, names }: { event: ShopEvent; names: ReadonlyMap<string, string> }): VNode {
  switch (event.type) {
    case 'petstore.pet.created':
    case 'petstore.pet.updated':
    case 'petstore.pet.deleted': {
      const { id, name } = event.data
      const shown = <bdi>{shortName(name)}</bdi>
      const isGone = event.type === 'petstore.pet.deleted'
      return (
        <>
          {isGone ? shown : <a href={hrefOfAnimal(id)}>{shown}</a>} {petVerbs[event.type]}
        </>
      )
    }
    default: {
      const { id, petId, status } = event.data
      const name = names.get(String(petId))
      const shown = name === undefined ? `animal ${petId}` : <bdi>{shortName(name)}</bdi>
      return (
        <>
          <OrderLink id={id} /> for <a href={hrefOfAnimal(petId)}>{shown}</a> was {status}
        </>
      )
    }
  }
}

/** Updates the texts of times: "today" becomes "yesterday". */
function useMinutes(): void {
  const [, setMinute] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMinute((minute) => minute + 1), 60_000)
    return () => clearInterval(timer)
  }, [])
}
