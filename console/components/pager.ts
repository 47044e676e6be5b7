import type { Page } from '../../client/src/index.ts'
import { html, type VNode } from '../preact.js'
import type { Live } from '../state/live.ts'
import { rememberNextPage, visitedPages } from '../state/page-history.ts'
import { hrefWith } from '../state/route.ts'
import { formatCount, plural } from './format.ts'
import { Icon } from './icons.ts'

interface PagerProps {
  /** Identifies the list and its filter. */
  list: string
  /** The cursor of the open page; '' for the first. */
  cursor: string
  page: Live<Page<object>>
  one: string
  many: string
}

/** The page number of a list, with links to the next and previous page. */
export function Pager({ list, cursor, page: { result, isStale }, one, many }: PagerProps): VNode {
  // While the old page is still shown, its cursor belongs to another list.
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

/** Shows only what is certain: the numbers of items change with every deletion before them. */
function pagerText({ items, total, cursor }: Page<object>, position: number, one: string, many: string): string {
  const isOnly = position === 0 && cursor === undefined
  if (isOnly) return items.length === 0 ? '' : plural(items.length, one, many)
  const number = position === -1 ? [] : [`Page ${formatCount(position + 1)}`]
  return [...number, ...(total === undefined ? [] : [plural(total, one, many)])].join(' · ')
}

/** The page before this cursor, for a page that has become empty. */
export function pageBefore(list: string, cursor: string): string {
  const pages = visitedPages(list)
  return pages[pages.indexOf(cursor) - 1] ?? ''
}
