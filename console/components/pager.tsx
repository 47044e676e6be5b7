import type { VNode } from 'preact'
import type { Page } from '../../client/src/index.ts'
import type { Live } from '../state/live.ts'
import { firstPage, lastPage, pushPage, pageStack } from '../state/page-stack.ts'
import { hrefWith } from '../state/route.ts'
import { formatCount, plural } from './format.ts'
import { Icon } from './icons.tsx'
import { Empty } from './loading.tsx'
import { PageSize } from './page-size.tsx'

interface PagerProps {
  /** Identifies the list and its filter. */
  list: string
  /** The cursor of the open page; '' where the list starts. */
  cursor: string
  /** Whether the list starts at its last page. Undefined if it cannot. */
  isFromEnd?: boolean
  page: Live<Page<object>>
  one: string
  many: string
  /** What the links say. */
  texts?: { previous: string; next: string }
}

/** The page number of a list, with links to the next and previous page, and to its ends. */
export function Pager(props: PagerProps): VNode {
  const { list, cursor, isFromEnd, page, texts = { previous: 'Previous', next: 'Next' } } = props
  const { result, isStale } = page
  // While the old page is still shown, its cursor belongs to another list.
  const unread = isStale ? undefined : result?.cursor
  const pages = pushPage(list, cursor, unread)
  const position = pages.indexOf(cursor)
  const visited = position > 0 ? pages[position - 1] : undefined
  const [previous, next] = isFromEnd === true ? [unread, visited] : [visited, unread]
  const fitsSmallestPage = position === 0 && unread === undefined && (result?.items.length ?? 0) <= 20
  return (
    <nav class="pager" aria-label="Pages">
      <p role="status">{result !== undefined && !isStale && pagerText(result, position, props)}</p>
      {!fitsSmallestPage && <PageSize />}
      {(previous !== undefined || position === -1) && <EndLink text="First" href={hrefWith(firstPage)} />}
      {previous !== undefined && (
        <a class="button" rel="prev" href={hrefWith({ cursor: previous })}>
          <Icon name="back" />
          {texts.previous}
        </a>
      )}
      {next !== undefined && (
        <a class="button" rel="next" href={hrefWith({ cursor: next })}>
          {texts.next}
          <Icon name="forward" />
        </a>
      )}
      {isFromEnd !== undefined && (next !== undefined || position === -1) && (
        <EndLink text="Last" href={hrefWith(lastPage)} />
      )}
    </nav>
  )
}

function EndLink({ text, href }: { text: string; href: string }): VNode {
  return (
    <a class="button" href={href}>
      {text}
      <span class="visually-hidden"> page</span>
    </a>
  )
}

/** Shows only what is certain: the numbers of items change with every deletion before them. */
function pagerText({ items, total, cursor }: Page<object>, position: number, props: PagerProps): string {
  const { isFromEnd, one, many } = props
  const isOnly = position === 0 && cursor === undefined
  if (isOnly) return items.length === 0 ? '' : plural(items.length, one, many)
  const name = position === -1 ? [] : [isFromEnd === true ? nameFromEnd(position) : `Page ${formatCount(position + 1)}`]
  return [...name, ...(total === undefined ? [] : [plural(total, one, many)])].join(' · ')
}

function nameFromEnd(position: number): string {
  return position === 0 ? 'Last page' : `Page ${formatCount(position + 1)} from the end`
}

/** A page without items that is not the last one: a part of the list was searched. */
export function NothingSoFar({ next }: { next: string }): VNode {
  return (
    <Empty title="Nothing found so far">
      <a class="button" href={hrefWith({ cursor: next })}>
        Search further
      </a>
    </Empty>
  )
}

/** The page before this cursor, for a page that has become empty. */
export function pageBefore(list: string, cursor: string): string {
  const pages = pageStack(list)
  return pages[pages.indexOf(cursor) - 1] ?? ''
}
