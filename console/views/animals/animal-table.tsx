import type { VNode } from 'preact'
import type { Pet } from '../../../client/src/index.ts'
import { shortName } from '../../components/format.ts'
import { Status } from '../../components/status.tsx'
import { type Choice, hasAll } from '../../state/choice.ts'
import { type Categories, categoryLabel, useCategoryNames } from '../../state/categories.ts'
import { useIsPending } from '../../state/pending.ts'
import type { PetSort } from '../../state/pets.ts'
import { hrefOfAnimal, openAnimal } from '../../state/route.ts'
import { visibleText } from '../../state/visible-text.ts'
import { SortHead } from './animal-sort.tsx'
import { deletionOf } from './delete-animal.tsx'

interface AnimalTableProps {
  pets: readonly Pet[]
  sort: PetSort
  order: Ordering
  /** Undefined for a key that may not change any. */
  choice: Choice | undefined
}

/** Asks to place an order; undefined for a key that may not. */
type Ordering = ((pet: Pet) => void) | undefined

export function AnimalTable({ pets, sort, order, choice }: AnimalTableProps): VNode {
  const names = useCategoryNames(pets.map(({ categoryId }) => categoryId))
  return (
    <table class="animal-table">
      <caption class="visually-hidden">Animals</caption>
      <thead>
        <tr>
          {choice !== undefined && <ChooseAll pets={pets} choice={choice} />}
          <SortHead column="id" text="Number" sort={sort} />
          <SortHead column="name" text="Name" sort={sort} />
          <th scope="col" class="category">
            Category
          </th>
          <th scope="col" class="status-column">
            Status
          </th>
          {order !== undefined && (
            <th scope="col" class="row-action">
              <span class="visually-hidden">Order</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => (
          <Row key={pet.id} pet={pet} names={names} order={order} choice={choice} />
        ))}
      </tbody>
    </table>
  )
}

function ChooseAll({ pets, choice: { chosen, togglePage } }: { pets: readonly Pet[]; choice: Choice }): VNode {
  const isAll = hasAll(chosen, pets)
  return (
    <th scope="col" class="choose">
      <label>
        <input
          type="checkbox"
          checked={isAll}
          indeterminate={!isAll && pets.some(({ id }) => chosen.has(String(id)))}
          onChange={togglePage}
        />
        <span class="visually-hidden">Choose all animals on this page</span>
      </label>
    </th>
  )
}

interface RowProps {
  pet: Pet
  names: Categories['names']
  order: Ordering
  choice: Choice | undefined
}

function Row({ pet, names, order, choice }: RowProps): VNode {
  const href = hrefOfAnimal(pet.id)
  // A larger target for the mouse; the keyboard uses the link.
  function onClick({ target }: MouseEvent): void {
    const isOnControl = target instanceof Element && target.closest('a, button, .choose') !== null
    if (!isOnControl && getSelection()?.isCollapsed !== false) openAnimal(pet.id)
  }
  const category = categoryLabel(names, pet.categoryId)
  const isLeaving = useIsPending(deletionOf(pet.id))
  const isChosen = choice?.chosen.has(String(pet.id)) === true
  return (
    <tr class={isLeaving ? 'leaving' : undefined} onClick={onClick}>
      {choice !== undefined && (
        <td class="choose">
          <label>
            <input type="checkbox" checked={isChosen} onClick={({ shiftKey }) => choice.toggle(pet, shiftKey)} />
            <span class="visually-hidden">Choose {shortName(pet.name)}</span>
          </label>
        </td>
      )}
      <td class="number">{pet.id}</td>
      <td class="name">
        <a href={href} dir="auto">
          {visibleText(pet.name)}
        </a>
        <span class="below">
          <span>
            {pet.id} · <bdi>{category}</bdi>
          </span>
          <span class="status-below">
            <Status value={pet.status} />
          </span>
        </span>
      </td>
      <td class="category">
        <bdi>{category}</bdi>
      </td>
      <td class="status-column">
        <Status value={pet.status} />
      </td>
      {order !== undefined && (
        <td class="row-action">
          {pet.status === 'available' && !isLeaving && (
            <button
              type="button"
              class="button small"
              onClick={() => order(pet)}
              aria-label={`Order ${shortName(pet.name)}`}
            >
              Order
            </button>
          )}
        </td>
      )}
    </tr>
  )
}
