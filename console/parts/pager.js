import { formatCount, plural } from '../format.js'
import { pageSize } from '../pets.js'
import { html } from '../preact.js'
import { hrefWith } from '../route.js'
import { leadOn, trailOf } from '../trail.js'
import { Icon } from './icons.js'

/** Where one is in a list, and the ways on and back, which are links. */
export function Pager({ list, cursor = '', page, one, many }) {
  const trail = page.isStale ? trailOf(list) : leadOn(list, cursor, page.next)
  const position = trail.indexOf(cursor)
  const before = position > 0 ? trail[position - 1] : undefined
  const start = position * pageSize + 1
  const end = start + page.items.length - 1
  const total = page.total === undefined ? '' : ` of ${plural(page.total, one, many)}`
  const isAll = page.total === page.items.length || (page.total === undefined && position === 0 && !page.next)
  const words =
    page.items.length === 0
      ? ''
      : isAll
        ? plural(page.items.length, one, many)
        : position === -1
          ? `${plural(page.items.length, one, many)} of ${page.total === undefined ? 'this page' : formatCount(page.total)}`
          : `${formatCount(start)}–${formatCount(end)}${total}`
  return html`<nav class="pager" aria-label="Pages">
    <p role="status">${words}</p>
    ${position === -1 && html`<a class="button" href=${hrefWith({ cursor: undefined })}>First page</a>`}
    ${
      before !== undefined &&
      html`<a class="button" rel="prev" href=${hrefWith({ cursor: before === '' ? undefined : before })}>
        <${Icon} name="back" />Previous
      </a>`
    }
    ${
      page.next !== undefined &&
      html`<a class="button" rel="next" href=${hrefWith({ cursor: page.next })}>Next<${Icon} name="forward" /></a>`
    }
  </nav>`
}
