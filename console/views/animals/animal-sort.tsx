import type { VNode } from 'preact'
import { Icon } from '../../components/icons.tsx'
import { firstPage } from '../../state/page-stack.ts'
import type { PetSort } from '../../state/pets.ts'
import { goWith, hrefWith, type Query } from '../../state/route.ts'

const choices: readonly { value: PetSort; text: string }[] = [
  { value: 'id', text: 'Number, lowest first' },
  { value: '-id', text: 'Number, highest first' },
  { value: 'name', text: 'Name, A to Z' },
  { value: '-name', text: 'Name, Z to A' },
]

/** The sort in the address; by number if there is none, or an unknown one. */
export function sortOf({ sort }: Query): PetSort {
  return choices.find(({ value }) => value === sort)?.value ?? 'id'
}

/** A change of the address. A cursor belongs to its sort. */
function sortedBy(sort: PetSort): Query {
  return { sort: sort === 'id' ? undefined : sort, ...firstPage }
}

/** The head of a column that sorts the animals; chosen again, the other way round. */
export function SortHead({ column, text, sort }: { column: 'id' | 'name'; text: string; sort: PetSort }): VNode {
  const isAscending = sort === column
  const isDescending = sort === `-${column}`
  return (
    <th
      scope="col"
      class={column === 'id' ? 'number' : 'name'}
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : undefined}
    >
      <a class="sort" href={hrefWith(sortedBy(isAscending ? `-${column}` : column))}>
        {text}
        <Icon name={isDescending ? 'down' : 'up'} />
      </a>
    </th>
  )
}

/** The same choice for a narrow screen, which has no column of numbers. */
export function SortSelect({ sort }: { sort: PetSort }): VNode {
  return (
    <div class="filter sort-select">
      <label for="sort">Sort by</label>
      <select id="sort" onChange={({ currentTarget }) => goWith(sortedBy(currentTarget.value as PetSort))}>
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
