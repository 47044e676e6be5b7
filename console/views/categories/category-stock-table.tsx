import type { VNode } from 'preact'
import { formatCount } from '../../components/format.ts'
import { statusText } from '../../components/status.tsx'
import { TableHead } from '../../components/table-head.tsx'
import type { CategoryStock } from '../../state/inventory.ts'
import { hrefOf } from '../../state/route.ts'
import { statusesOrNone } from '../../state/statuses.ts'
import { visibleText } from '../../state/visible-text.ts'

const columns = [
  { className: 'name', text: 'Category' },
  ...statusesOrNone.map((status) => ({ className: 'stock-count', text: statusText[status] })),
  { className: 'stock-total', text: 'All' },
]

/** The numbers of each status are columns, or on a phone a line below the name. */
export function CategoryStockTable({ categories }: { categories: readonly CategoryStock[] }): VNode {
  return (
    <table class="category-table">
      <caption class="visually-hidden">Stock by category</caption>
      <TableHead columns={columns} hasActions={false} />
      <tbody>
        {categories.map((category) => (
          <tr key={category.id}>
            <td class="name">
              <a href={hrefOf('animals', { category: String(category.id) })} dir="auto">
                {visibleText(category.name)}
              </a>
              <span class="below">{countsText(category)}</span>
            </td>
            {statusesOrNone.map((status) => (
              <td key={status} class="stock-count">
                {formatCount(category[status])}
              </td>
            ))}
            <td class="stock-total">{formatCount(category.total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Animals without a status are the exception, and there is little room. */
function countsText(category: CategoryStock): string {
  const shown = statusesOrNone.filter((status) => status !== 'none' || category.none > 0)
  return shown.map((status) => `${formatCount(category[status])} ${statusText[status].toLowerCase()}`).join(' · ')
}
