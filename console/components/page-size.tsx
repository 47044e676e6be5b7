import type { VNode } from 'preact'
import { dropPages, firstPage } from '../state/page-stack.ts'
import { pageSizes, prefer, usePreferences } from '../state/preferences.ts'
import { replaceWith } from '../state/route.ts'

/** Chooses how many rows a page has, for all lists. */
export function PageSize(): VNode {
  const { pageSize } = usePreferences()
  function choose(value: string): void {
    // Pages of another size begin elsewhere.
    dropPages()
    replaceWith(firstPage)
    prefer({ pageSize: pageSizes.find((size) => String(size) === value) ?? 20 })
  }
  return (
    <label class="page-size">
      <select onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {pageSizes.map((size) => (
          <option key={size} value={size} selected={size === pageSize}>
            {size}
          </option>
        ))}
      </select>{' '}
      a page
    </label>
  )
}
