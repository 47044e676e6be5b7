import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isPetStoreError, type NewPet, type Order, type Pet, type WithEtag } from '../../../client/src/index.ts'
import { statusText } from '../../components/status.tsx'
import type { Animal } from '../../state/animal.ts'
import { categoryLabel, useCategoryNames } from '../../state/categories.ts'
import { isOwnChange } from '../../state/own-changes.ts'
import { changeBetween, changePet, isSamePet } from '../../state/pets.ts'
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
    const change = changeBetween(pet, wanted)
    if (Object.keys(change).length === 0) return true
    saved.current = wanted
    const after = await changePet(pet, change).catch(async (error: unknown) => {
      if (!isPetStoreError(error, 'precondition_failed')) throw error
      return (await reload())?.pet
    })
    // If somebody else made the same change, or a response was lost, there is nothing left to do.
    if (after === undefined || !isSamePet(after, wanted)) return false
    notifySaved(pet, after)
    return true
  }

  return (
    <>
      {meanwhile !== undefined && <Meanwhile {...meanwhile} />}
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

function Meanwhile({ before, now }: { before: Pet; now: Pet }): VNode {
  const names = useCategoryNames([now.categoryId])
  const change = changeBetween(before, now)
  return (
    <div class="meanwhile" role="alert">
      <p>
        <strong>Somebody changed this animal meanwhile.</strong> What you typed is kept; save to put it in place.
      </p>
      <ul>
        {change.name !== undefined && (
          <li>
            The name is now <bdi>{now.name}</bdi>
          </li>
        )}
        {change.categoryId !== undefined && (
          <li>
            The category is now <bdi>{categoryLabel(names, now.categoryId)}</bdi>
          </li>
        )}
        {change.status !== undefined && <li>The status is now {statusText[now.status ?? 'none'].toLowerCase()}</li>}
      </ul>
    </div>
  )
}
