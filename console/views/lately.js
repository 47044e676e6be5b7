import { followFeed, useFeedState } from '../feed.js'
import { formatMoment, shortName } from '../format.js'
import { html, useEffect, useState } from '../preact.js'
import { hrefWith } from '../route.js'
import { createStore, useStore } from '../store.js'

const most = 6
/** The latest first. Outlives the view, so that coming back finds it as it was. */
const events = createStore([])

followFeed((event) => {
  if (event !== undefined) events.set([event, ...events.get()].slice(0, most))
})

/** For somebody else at the same screen. */
export function forgetLately() {
  events.set([])
}

/** What happened since this page was opened. */
export function Lately() {
  const happened = useStore(events)
  const state = useFeedState()
  useMinutes()
  return html`<section class="card lately" aria-labelledby="lately">
    <h2 id="lately">Lately</h2>
    ${
      happened.length === 0
        ? html`<p class="quiet">
            ${state === 'live' ? 'Changes show here the moment they happen.' : 'Changes will show here once connected.'}
          </p>`
        : html`<ol>
            ${happened.map(
              (event) =>
                html`<li key=${event.id}>
                  <p><${Sentence} event=${event} /></p>
                  <time datetime=${event.time}>${formatMoment(event.time)}</time>
                </li>`,
            )}
          </ol>`
    }
  </section>`
}

const verbs = { created: 'was added', updated: 'was changed', deleted: 'was deleted' }

function Sentence({ event: { type, data } }) {
  const [, noun, verb] = type.split('.')
  if (noun === 'order') {
    const animal = html`<a href=${hrefWith({ animal: data.petId })}>animal ${data.petId}</a>`
    return html`Order ${data.id} for ${animal} was ${verb}`
  }
  const name = html`<bdi>${shortName(data.name)}</bdi>`
  if (verb === 'deleted') return html`${name} ${verbs[verb]}`
  return html`<a href=${hrefWith({ animal: data.id })}>${name}</a> ${verbs[verb] ?? verb}`
}

// "today" becomes yesterday.
function useMinutes() {
  const [, setMinute] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMinute((minute) => minute + 1), 60_000)
    return () => clearInterval(timer)
  }, [])
}
