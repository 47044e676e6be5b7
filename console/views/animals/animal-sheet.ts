import { isId } from '../../api/int64.ts'
import { CloseButton, Dialog } from '../../components/dialog.ts'
import { ErrorNotice } from '../../components/error-notice.ts'
import { Empty, Loading } from '../../components/loading.ts'
import { type Drawing, html, useRef, type VNode } from '../../preact.js'
import type { Pet } from '../../../client/src/index.ts'
import { useAnimal } from '../../state/animal.ts'
import { categoryText } from '../../state/categories.ts'
import { dropDraft, keepDraft, useDraft } from '../../state/drafts.ts'
import { replaceWith } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'
import { AnimalDetails } from './animal-details.ts'
import { AnimalEditor } from './animal-editor.ts'
import type { PetDraft } from './animal-form.ts'
import { AnimalHistory } from './animal-history.ts'
import { AnimalOrder } from '../orders/animal-order.ts'
import { DeleteAnimal } from './delete-animal.ts'
import { NewAnimal } from './new-animal.ts'

interface SheetProps {
  title: string
  label: string
  onClose: () => void
  children: Drawing
}

/** An existing or new animal on a sheet beside the list. Closing it keeps the typed text. */
export function AnimalSheet({ id, onClose }: { id: string; onClose: () => void }): VNode {
  const may = useMay()
  if (isId(id)) return html`<${OneAnimal} id=${id} onClose=${onClose} />`
  if (id === 'new' && may('createPet')) {
    return html`<${Sheet} title="Add an animal" label="Add an animal" onClose=${onClose}>
      <${NewAnimal} onClose=${onClose} />
    <//>`
  }
  const title = id === 'new' ? 'This key may not add animals' : `No animal has the number ${id}`
  return html`<${Sheet} title="Not here" label="Not here" onClose=${onClose}><${Empty} title=${title} /><//>`
}

function Sheet({ title, label, onClose, children }: SheetProps): VNode {
  return html`<${Dialog} label=${label} className="sheet" onClose=${onClose}>
    <div class="dialog-head">
      <h2 dir="auto">${title}</h2>
      <${CloseButton} onClose=${onClose} />
    </div>
    ${children}
  <//>`
}

function OneAnimal({ id, onClose }: { id: string; onClose: () => void }): VNode {
  const may = useMay()
  const { result, error, reload } = useAnimal(id)
  const last = useRef<Pet | undefined>(undefined)
  const pet = result?.pet
  if (pet !== undefined) last.current = pet
  const label = `Animal ${id}`
  if (result !== undefined && pet === undefined) {
    return html`<${Sheet} title=${last.current?.name ?? label} label=${label} onClose=${onClose}>
      <${Gone} id=${id} last=${last.current} />
    <//>`
  }
  return html`<${Sheet} title=${pet?.name ?? label} label=${label} onClose=${onClose}>
    <${ErrorNotice} error=${error} retry=${reload} />
    ${
      pet === undefined
        ? error === undefined && html`<${Loading} lines=${4} label="Loading the animal" />`
        : html`
            ${
              may('updatePet')
                ? html`<p class="sheet-number">Animal number ${pet.id}</p>
                    <${AnimalEditor} pet=${pet} openOrder=${result?.openOrder} reload=${reload} onClose=${onClose} />`
                : html`<${AnimalDetails} pet=${pet} />`
            }
            <${AnimalOrder} pet=${pet} openOrder=${result?.openOrder} reload=${reload} />
            ${may('listEvents') && html`<${AnimalHistory} pet=${pet} reload=${reload} />`}
            ${
              may('deletePet') &&
              (result?.openOrder === undefined
                ? html`<${DeleteAnimal} pet=${pet} onDeleted=${onClose} />`
                : html`<p class="note">It can be deleted once its order has ended.</p>`)
            }
          `
    }
  <//>`
}

/** An unknown or deleted animal. The typed text can become a new animal. */
function Gone({ id, last }: { id: string; last: Pet | undefined }): VNode {
  const may = useMay()
  const draft: PetDraft | undefined = useDraft(`pet-${id}`)
  if (last === undefined) return html`<${Empty} title=${`No animal has the number ${id}`}>It may have been deleted.<//>`
  function addAsNew(): void {
    const { name, categoryId, status = null } = last as Pet
    keepDraft('new', { name, category: categoryText(categoryId), status, ...draft })
    dropDraft(`pet-${id}`)
    replaceWith({ animal: 'new' })
  }
  return html`<div class="meanwhile" role="alert">
      <p><strong>Somebody deleted this animal meanwhile.</strong></p>
      ${draft?.name !== undefined && html`<p>You typed: <bdi>${draft.name}</bdi></p>`}
    </div>
    ${
      draft !== undefined &&
      may('createPet') &&
      html`<button type="button" class="button" onClick=${addAsNew}>Add it as a new animal…</button>`
    }`
}
