import type { VNode } from 'preact'

interface TableHeadProps {
  columns: readonly { className: string; text: string }[]
  /** Whether each row ends with buttons. */
  hasActions: boolean
}

/** The heads of a table whose columns cannot be sorted. */
export function TableHead({ columns, hasActions }: TableHeadProps): VNode {
  return (
    <thead>
      <tr>
        {columns.map(({ className, text }) => (
          <th key={text} scope="col" class={className}>
            {text}
          </th>
        ))}
        {hasActions && (
          <th scope="col" class="row-action">
            <span class="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
