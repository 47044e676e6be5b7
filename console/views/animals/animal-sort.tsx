import type { VNode } from 'preact'
import { Icon } from '../../components/icons.tsx'
import { firstPage } from '../../state/page-stack.ts'
import type { PetSort } from '../../state/pets.ts'
import { currentPreferences, prefer } from '../../state/preferences.ts'
import { goWith, hrefWith, type Query } from '../../state/route.ts'

const choices: readonly { value: PetSort; text: string }[] = [
  { value: 'id', text: 'Oldest first' },
  { value: '-id', text: 'Newest first' },
  { value: 'name', text: 'Name, A to Z' },
  { value: '-name', text: 'Name, Z to A' },
]

/** The sort in the address; if there is none, or an unknown one, the one that this person last chose by number. */
export function sortOf({ sort }: Query): PetSort {
  return choices.find(({ value }) => value === sort)?.value ?? currentPreferences().sort
}

/** A change of the address. A cursor belongs to its sort. */
function sortedBy(sort: PetSort): Query {
  return { sort: sort === currentPreferences().sort ? undefined : sort, ...firstPage }
}

/** Called after a link was followed: it makes other links. */
function remember(sort: PetSort): void {
  if (sort === 'id' || sort === '-id') prefer({ sort })
}

/** The head of a column that sorts the animals; chosen again, the other way round. */
export function SortHead({ column, text, sort }: { column: 'id' | 'name'; text: string; sort: PetSort }): VNode {
  const isAscending = sort === column
  const isDescending = sort === `-${column}`
  const next = isAscending ? (`-${column}` as const) : column
  return (
    <th
      scope="col"
      class={column === 'id' ? 'number' : 'name'}
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : undefined}
    >
      <a class="sort" href={hrefWith(sortedBy(next))} onClick={() => setTimeout(remember, 0, next)}>
        {text}
        <Icon name={isDescending ? 'down' : 'up'} />
      </a>
    </th>
  )
}

/** The same choice for a narrow screen, which has no column of numbers. */
export function SortSelect({ sort }: { sort: PetSort }): VNode {
  function choose(next: PetSort): void {
    goWith(sortedBy(next))
    remember(next)
  }
  return (
    <div class="filter sort-select">
      <label for="sort">Sort by</label>
      <select id="sort" onChange={({ currentTarget }) => choose(currentTarget.value as PetSort)}>
        {choices.map(({ value, text }) => (
          <option key={value} value={value} selected={value === sort}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

export function SortRefused(): VNode {
  return (
    <div class="meanwhile" role="alert">
      <p>
        <strong>These are too many animals to sort by name.</strong> They are sorted by number. Choose a status or a
        category, then sort again.
      </p>
    </div>
  )
}
