import {
  isPetStoreError,
  type NewPet,
  type Order,
  type Pet,
  type PetChange,
  type WithEtag,
} from '../../client/src/index.ts'
import { shortName } from '../components/format.ts'
import { statusText } from '../components/status.ts'
import { html, useEffect, useRef, useState, type VNode } from '../preact.js'
import type { Animal } from '../state/animal.ts'
import { categoryLabel, useCategoryNames } from '../state/categories.ts'
import { notify } from '../state/notices.ts'
import { isOwnChange } from '../state/own-changes.ts'
import { changePet, isSameId, isSamePet } from '../state/pets.ts'
import { AnimalForm } from './animal-form.ts'

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
    const change = differences(pet, wanted)
    if (Object.keys(change).length === 0) return true
    saved.current = wanted
    try {
      await changePet(pet, change)
    } catch (error) {
      if (!isPetStoreError(error, 'precondition_failed')) throw error
      const now = (await reload())?.pet
      // The change is already made: a response was lost.
      if (now === undefined || !isSamePet(now, wanted)) return false
    }
    notify(html`<bdi>${shortName(wanted.name)}</bdi> was saved`)
    return true
  }

  return html`
    ${meanwhile !== undefined && html`<${Meanwhile} ...${meanwhile} />`}
    <${AnimalForm}
      draftName=${`pet-${pet.id}`}
      pet=${pet}
      isStatusFixed=${openOrder !== undefined}
      submitText="Save"
      busyText="Saving…"
      onSubmit=${save}
      onDone=${onClose}
    />
  `
}

function differences(before: NewPet, after: NewPet): PetChange {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(!isSameId(after.categoryId, before.categoryId) && { categoryId: after.categoryId }),
    ...(after.status !== before.status && { status: after.status ?? null }),
  }
}

function Meanwhile({ before, now }: { before: Pet; now: Pet }): VNode {
  const names = useCategoryNames([now.categoryId])
  const change = differences(before, now)
  return html`<div class="meanwhile" role="alert">
    <p><strong>Somebody changed this animal meanwhile.</strong> What you typed is kept; save to put it in place.</p>
    <ul>
      ${change.name !== undefined && html`<li>The name is now <bdi>${now.name}</bdi></li>`}
      ${
        change.categoryId !== undefined &&
        html`<li>The category is now <bdi>${categoryLabel(names, now.categoryId)}</bdi></li>`
      }
      ${change.status !== undefined && html`<li>The status is now ${statusText[now.status ?? 'none'].toLowerCase()}</li>`}
    </ul>
  </div>`
}
