import type { VNode } from 'preact'
import { Icon } from '../../components/icons.tsx'
import { hrefOfAnimal } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'

/** Opens the form for a new animal. Nothing for a key that may not add one. */
export function AddAnimalLink(): VNode | null {
  const may = useMay()
  if (!may('createPet')) return null
  return (
    <a class="button primary" href={hrefOfAnimal('new')}>
      <Icon name="plus" />
      <span>Add an animal</span>
    </a>
  )
}
