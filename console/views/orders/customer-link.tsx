import type { VNode } from 'preact'
import { canBeAskedFor } from '../../state/customer-orders.ts'
import { hrefOf } from '../../state/route.ts'
import { visibleText } from '../../state/visible-text.ts'

/** The name of a customer leads to their orders, open and done. */
export function CustomerLink({ name, short }: { name: string; short?: string }): VNode {
  const shown = <bdi>{short ?? visibleText(name)}</bdi>
  if (!canBeAskedFor(name)) return shown
  return <a href={hrefOf('orders', { status: 'all', customer: name.trim() })}>{shown}</a>
}
