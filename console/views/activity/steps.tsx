import type { ComponentChildren, VNode } from 'preact'
import type { Pet } from '../../../client/src/index.ts'
import { shortName } from '../../components/format.ts'
import { statusText } from '../../components/status.tsx'
import { categoryLabel, useCategoryNames } from '../../state/categories.ts'
import { changeBetween } from '../../state/pets.ts'

/** What a change did, member by member: "Status: Pending → Sold". */
export function Steps({ before, after }: { before: Pet; after: Pet }): ComponentChildren {
  const names = useCategoryNames([before.categoryId, after.categoryId])
  const change = changeBetween(before, after)
  return (
    <>
      {change.name !== undefined && <Step of="Name" from={shortName(before.name)} to={shortName(after.name)} />}
      {change.categoryId !== undefined && (
        <Step
          of="Category"
          from={categoryLabel(names, before.categoryId)}
          to={categoryLabel(names, after.categoryId)}
        />
      )}
      {change.status !== undefined && (
        <Step of="Status" from={statusText[before.status ?? 'none']} to={statusText[after.status ?? 'none']} />
      )}
    </>
  )
}

/** Read out as "from … to …". */
function Step({ of, from, to }: { of: string; from: string; to: string }): VNode {
  return (
    <span>
      {of}: <span class="visually-hidden">from </span>
      <bdi>{from}</bdi>
      <span aria-hidden="true"> → </span>
      <span class="visually-hidden"> to </span>
      <bdi>{to}</bdi>
    </span>
  )
}
