import { categoryLabel, useCategories } from '../categories.js'
import { count, statuses, useCounts } from '../counts.js'
import { followFeed } from '../feed.js'
import { formatCount, formatShare } from '../format.js'
import { Donut } from '../parts/donut.js'
import { Icon } from '../parts/icons.js'
import { Empty, Loading } from '../parts/loading.js'
import { Mark, statusWords } from '../parts/status.js'
import { Trouble } from '../parts/trouble.js'
import { html, useEffect } from '../preact.js'
import { hrefOf, hrefWith } from '../route.js'
import { useMay } from '../session.js'
import { Lately } from './lately.js'

/** The stock at a glance. */
export function Stock() {
  const { total, status, categories, problem } = useCounts()
  const may = useMay()
  useEffect(() => keepCounting(), [])
  return html`<div class="view">
    <div class="view-head">
      <h1 tabindex="-1">Stock</h1>
      ${may('createPet') && html`<a class="button primary" href=${hrefWith({ animal: 'new' })}><${Icon} name="plus" />Add an animal</a>`}
    </div>
    ${problem && html`<${Trouble} problem=${problem} retry=${count} />`}
    ${
      total === undefined
        ? problem === undefined && html`<div class="card"><${Loading} label="Counting the animals" /></div>`
        : total === 0
          ? html`<div class="card"><${NoAnimals} may=${may} /></div>`
          : html`<div class="overview">
              <${ByStatus} total=${total} status=${status} />
              <${ByCategory} total=${total} categories=${categories} />
              ${may('listEvents') && html`<${Lately} />`}
            </div>`
    }
  </div>`
}

/** Counts now, when something happens, and when somebody looks again. Not for a page that nobody sees. */
function keepCounting() {
  function countIfSeen() {
    if (document.visibilityState === 'visible') void count()
  }
  countIfSeen()
  const stop = followFeed(countIfSeen)
  document.addEventListener('visibilitychange', countIfSeen)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', countIfSeen)
  }
}

function NoAnimals({ may }) {
  return html`<${Empty} title="No animals yet">
    ${may('createPet') ? 'Add the first one, and the stock will show here.' : 'Once there are some, the stock will show here.'}
  <//>`
}

function ByStatus({ total, status }) {
  const names = [...statuses, 'none']
  return html`<section class="card by-status" aria-labelledby="by-status">
    <h2 id="by-status">By status</h2>
    <${Donut} total=${total} parts=${names.map((name) => ({ name, count: status[name] }))} />
    <ul class="legend">
      ${names.map((name) => {
        const inside = html`<${Mark} status=${name} /><span class="legend-name">${statusWords[name]}</span>${' '}
          <span class="legend-count">${formatCount(status[name])}</span>${' '}
          <span class="legend-share">${formatShare(status[name], total)}</span>`
        // Animals without a status cannot be asked for alone.
        return name === 'none'
          ? html`<li key=${name}><span class="legend-row">${inside}</span></li>`
          : html`<li key=${name}><a class="legend-row" href=${hrefOf('animals', { status: name })}>${inside}</a></li>`
      })}
    </ul>
  </section>`
}

function ByCategory({ total, categories: { largest, others } }) {
  const names = useCategories()
  const most = Math.max(...largest.map(({ animals }) => animals))
  return html`<section class="card by-category" aria-labelledby="by-category">
    <h2 id="by-category">By category</h2>
    <ul class="bars">
      ${largest.map(
        ({ id, animals }) =>
          html`<li key=${id}>
            <a class="bar-row" href=${hrefOf('animals', { category: id })}>
              <span class="bar-name"><bdi>${categoryLabel(names, id)}</bdi></span>${' '}
              <span class="bar-count">${formatCount(animals)}</span>
              <${Bar} share=${animals / most} />
            </a>
          </li>`,
      )}
      ${
        others > 0 &&
        html`<li>
          <span class="bar-row">
            <span class="bar-name">All others</span>${' '}
            <span class="bar-count">${formatCount(others)}</span>
          </span>
        </li>`
      }
    </ul>
    <p class="visually-hidden">${formatCount(total)} animals in all.</p>
  </section>`
}

function Bar({ share }) {
  return html`<svg
    class="bar"
    viewBox="0 0 100 1"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <rect class="track" width="100" height="1" /><rect class="value" width=${Math.max(share * 100, 0.5)} height="1" />
  </svg>`
}
