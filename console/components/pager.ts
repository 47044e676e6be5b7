import type { Page } from '../../client/src/index.ts'
import { html, type VNode } from '../preact.js'
import type { Live } from '../state/live.ts'
import { rememberNextPage, visitedPages } from '../state/page-history.ts'
import { hrefWith } from '../state/route.ts'
import { formatCount, plural } from './format.ts'
import { Icon } from './icons.ts'

interface PagerProps {
  /** Names the list and its filter. */
  list: string
  /** Of the page that is open; '' for the first. */
  cursor: string
  page: Live<Page<object>>
  one: string
  many: string
}

/** Which page of a list it is, and the ways on and back, which are links. */
export function Pager({ list, cursor, page: { result, isStale }, one, many }: PagerProps): VNode {
  // While the page before is still on the screen, its cursor leads to a page of another list.
  const next = isStale ? undefined : result?.cursor
  const pages = rememberNextPage(list, cursor, next)
  const position = pages.indexOf(cursor)
  const previous = position > 0 ? pages[position - 1] : undefined
  return html`<nav class="pager" aria-label="Pages">
    <p role="status">${result !== undefined && !isStale && pagerText(result, position, one, many)}</p>
    ${position === -1 && html`<a class="button" href=${hrefWith({ cursor: undefined })}>First page</a>`}
    ${
      previous !== undefined &&
      html`<a class="button" rel="prev" href=${hrefWith({ cursor: previous })}><${Icon} name="back" />Previous</a>`
    }
    ${
      next !== undefined &&
      html`<a class="button" rel="next" href=${hrefWith({ cursor: next })}>Next<${Icon} name="forward" /></a>`
    }
  </nav>`
}

/** Only what is certain: which items are on a page of their own number changes with every deletion before it. */
function pagerText({ items, total, cursor }: Page<object>, position: number, one: string, many: string): string {
  const isOnly = position === 0 && cursor === undefined
  if (isOnly) return items.length === 0 ? '' : plural(items.length, one, many)
  const number = position === -1 ? [] : [`Page ${formatCount(position + 1)}`]
  return [...number, ...(total === undefined ? [] : [plural(total, one, many)])].join(' · ')
}

/** The page before the one with this cursor, for when that one has become empty. */
export function pageBefore(list: string, cursor: string): string {
  const pages = visitedPages(list)
  return pages[pages.indexOf(cursor) - 1] ?? ''
}
