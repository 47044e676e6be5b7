import type { VNode } from 'preact'
import { hrefOf } from '../../state/route.ts'
import { canBeFound } from '../../state/search-text.ts'
import { visibleText } from '../../state/visible-text.ts'

/** Longer texts cannot be searched. */
const maxFound = 100

/** The name of a customer leads to their orders, open and done. */
export function CustomerLink({ name, short }: { name: string; short?: string }): VNode {
  const shown = <bdi>{short ?? visibleText(name)}</bdi>
  if (!canBeFound(name) || name.length > maxFound) return shown
  return <a href={hrefOf('orders', { status: 'all', find: name.trim() })}>{shown}</a>
}
