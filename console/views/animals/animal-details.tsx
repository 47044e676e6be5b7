import type { VNode } from 'preact'
import type { Pet } from '../../../client/src/index.ts'
import { Status } from '../../components/status.tsx'
import { categoryLabel, useCategoryNames } from '../../state/categories.ts'
import { visibleText } from '../../state/visible-text.ts'

/** A read-only animal, for users who may not change it. */
export function AnimalDetails({ pet }: { pet: Pet }): VNode {
  const names = useCategoryNames([pet.categoryId])
  return (
    <dl class="details">
      <div>
        <dt>Name</dt>
        <dd>
          <bdi>{visibleText(pet.name)}</bdi>
        </dd>
      </div>
      <div>
        <dt>Number</dt>
        <dd>{pet.id}</dd>
      </div>
      <div>
        <dt>Category</dt>
        <dd>
          <bdi>{categoryLabel(names, pet.categoryId)}</bdi>
        </dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          <Status value={pet.status} />
        </dd>
      </div>
    </dl>
  )
}
