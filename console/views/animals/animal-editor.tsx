import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  isPetStoreError,
  type NewPet,
  type Order,
  type Pet,
  type PetChange,
  type WithEtag,
} from '../../../client/src/index.ts'
import { Meanwhile } from '../../components/meanwhile.tsx'
import { statusText } from '../../components/status.tsx'
import type { Animal } from '../../state/animal.ts'
import { categoryLabel, useCategoryNames } from '../../state/categories.ts'
import { isOwnChange } from '../../state/own-changes.ts'
import { changeBetween, changePet, isSamePet } from '../../state/pets.ts'
import { visibleText } from '../../state/visible-text.ts'
import { notifySaved } from '../undo-notice.tsx'
import { AnimalForm } from './animal-form.tsx'

interface AnimalEditorProps {
  pet: WithEtag<Pet>
  openOrder: Order | undefined
  reload: () => Promise<Animal | undefined>
  onClose: () => void
}

/**
 * Changes an animal if it is unchanged since it was read. Reports concurrent changes; the typed text stays and is saved
 * on top of them on request.
 */
export function AnimalEditor({ pet, openOrder, reload, onClose }: AnimalEditorProps): VNode {
  const [meanwhile, setMeanwhile] = useState<{ before: Pet; now: Pet }>()
  const latest = useRef<Pet>(pet)
  const saved = useRef<NewPet | undefined>(undefined)
  useEffect(() => {
    const before = latest.current
    latest.current = pet
    if (isSamePet(before, pet) || isOwnChange(before, pet)) return
    if (saved.current === undefined || !isSamePet(saved.current, pet)) setMeanwhile({ before, now: pet })
  }, [pet])

  async function save(wanted: NewPet): Promise<boolean> {
    const asked = changeBetween(pet, wanted)
    if (Object.keys(asked).length === 0) return true
    saved.current = wanted
    for (let seen = pet; ; ) {
      try {
        notifySaved(seen, await changePet(seen, asked))
        return true
      } catch (error) {
        if (!isPetStoreError(error, 'precondition_failed')) throw error
      }
      const now = (await reload())?.pet
      if (now === undefined) return false
      const theirs = changeBetween(seen, now)
      const left = changeBetween(now, { ...now, ...pick(wanted, asked) })
      // If somebody else made the same change, or a response was lost, there is nothing left to do.
      if (Object.keys(left).length === 0) {
        notifySaved(seen, now)
        return true
      }
      // What does not overlap is saved beside the change of the other.
      if (Object.keys(left).some((member) => member in theirs)) return false
      seen = now
    }
  }

  return (
    <>
      {meanwhile !== undefined && <ChangedMeanwhile {...meanwhile} />}
      <AnimalForm
        draftName={`pet-${pet.id}`}
        pet={pet}
        isStatusFixed={openOrder !== undefined}
        submitText="Save"
        busyText="Saving…"
        onSubmit={save}
        onDone={onClose}
      />
    </>
  )
}

/** The members of an animal that a change names. */
function pick({ name, categoryId, status }: NewPet, change: PetChange): Partial<NewPet> {
  return {
    ...(change.name !== undefined && { name }),
    ...(change.categoryId !== undefined && { categoryId }),
    ...(change.status !== undefined && { status }),
  }
}

function ChangedMeanwhile({ before, now }: { before: Pet; now: Pet }): VNode {
  const names = useCategoryNames([now.categoryId])
  const change = changeBetween(before, now)
  return (
    <Meanwhile what="animal">
      {change.name !== undefined && (
        <li>
          The name is now <bdi>{visibleText(now.name)}</bdi>
        </li>
      )}
      {change.categoryId !== undefined && (
        <li>
          The category is now <bdi>{categoryLabel(names, now.categoryId)}</bdi>
        </li>
      )}
      {change.status !== undefined && <li>The status is now {statusText[now.status ?? 'none'].toLowerCase()}</li>}
    </Meanwhile>
  )
}
