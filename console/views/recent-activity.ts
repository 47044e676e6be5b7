import type { ShopEvent } from '../../client/src/index.ts'
import { formatTime, shortName } from '../components/format.ts'
import { type Drawing, html, useEffect, useState, type VNode } from '../preact.js'
import { useFeedState } from '../state/feed.ts'
import { useRecentActivity } from '../state/recent-activity.ts'
import { hrefWith } from '../state/route.ts'

/** The latest events. */
export function RecentActivity(): VNode {
  const { entries, names, isLoading } = useRecentActivity()
  const state = useFeedState()
  useMinutes()
  return html`<section class="card recent-activity" aria-labelledby="recent-activity">
    <h2 id="recent-activity">Recent activity</h2>
    ${
      entries.length === 0
        ? !isLoading &&
          html`<p class="quiet">
            ${state === 'live' ? 'Changes show here the moment they happen.' : 'Changes will show here once connected.'}
          </p>`
        : html`<ol>
            ${entries.map(
              ({ event }) =>
                html`<li key=${event.id}>
                  <p><${Sentence} event=${event} names=${names} /></p>
                  <span class="quiet"><${By} event=${event} />${' '}<time datetime=${event.time}>${formatTime(event.time)}</time></span>
                </li>`,
            )}
          </ol>`
    }
  </section>`
}

/** Who made the change, by the name of the key; nothing for events of earlier versions. */
export function By({ event: { keyname } }: { event: ShopEvent }): Drawing {
  return keyname === undefined ? null : html`<span>by <bdi>${shortName(keyname)}</bdi>,</span>`
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
      const shown = html`<bdi>${shortName(name)}</bdi>`
      const isGone = event.type === 'petstore.pet.deleted'
      return html`${isGone ? shown : html`<a href=${hrefWith({ animal: String(id) })}>${shown}</a>`} ${petVerbs[event.type]}`
    }
    default: {
      const { id, petId, status } = event.data
      const name = names.get(String(petId))
      const shown = name === undefined ? `animal ${petId}` : html`<bdi>${shortName(name)}</bdi>`
      return html`Order ${id} for <a href=${hrefWith({ animal: String(petId) })}>${shown}</a> was ${status}`
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
