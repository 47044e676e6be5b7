import { announce } from '../announce.js'
import { newAttempt } from '../api.js'
import { dropDraft, keepDraft, readDraft } from '../drafts.js'
import { shortName } from '../format.js'
import { CloseButton, Dialog } from '../parts/dialog.js'
import { Empty, Loading } from '../parts/loading.js'
import { Trouble } from '../parts/trouble.js'
import { createPet } from '../pets.js'
import { html } from '../preact.js'
import { hrefWith } from '../route.js'
import { useMay } from '../session.js'
import { useAnimal } from '../use-animal.js'
import { AnimalDetails } from './animal-details.js'
import { AnimalEditor } from './animal-editor.js'
import { AnimalForm } from './animal-form.js'
import { AnimalOrder } from './animal-order.js'
import { DeleteAnimal } from './delete-animal.js'

/** One animal, or a new one, on a sheet beside the rest. Closing it keeps what was typed. */
export function AnimalSheet({ id, onClose }) {
  const may = useMay()
  if (id === 'new' && may('createPet')) return html`<${NewAnimal} onClose=${onClose} />`
  return html`<${OneAnimal} id=${id} onClose=${onClose} />`
}

function Sheet({ title, label, onClose, children }) {
  return html`<${Dialog} label=${label} className="sheet" onClose=${onClose}>
    <div class="dialog-head">
      <h2 dir="auto">${title}</h2>
      <${CloseButton} onClose=${onClose} />
    </div>
    ${children}
  <//>`
}

function NewAnimal({ onClose }) {
  async function add(pet) {
    const created = await createPet(pet, attemptFor(pet))
    dropDraft('new')
    dropDraft('new-attempt')
    onClose()
    announce(`${shortName(created.name)} was added with the number ${created.id}`, {
      href: hrefWith({ animal: created.id }),
      words: 'Show',
    })
  }
  return html`<${Sheet} title="Add an animal" label="Add an animal" onClose=${onClose}>
    <${AnimalForm} draft="new" pet=${{ name: '', status: 'available' }} submitWords="Add" busyWords="Adding…" onSubmit=${add} />
  <//>`
}

// The same animal sent again is the same attempt, even after the page was loaded anew: it is added once.
function attemptFor(pet) {
  const content = JSON.stringify([pet.name, pet.categoryId, pet.status])
  const before = readDraft('new-attempt')
  if (before?.content === content) return before.attempt
  const attempt = newAttempt()
  keepDraft('new-attempt', { content, attempt })
  return attempt
}

function OneAnimal({ id, onClose }) {
  const may = useMay()
  const animal = useAnimal(id)
  const { seen, problem, isMissing, openOrder } = animal
  if (isMissing) {
    return html`<${Sheet} title=${`Animal ${id}`} label=${`Animal ${id}`} onClose=${onClose}>
      <${Empty} title="This animal is not here any more">Somebody may have deleted it.<//>
    <//>`
  }
  const title = seen === undefined ? `Animal ${id}` : seen.pet.name
  return html`<${Sheet} title=${title} label=${`Animal ${id}`} onClose=${onClose}>
    ${problem && html`<${Trouble} problem=${problem} retry=${animal.reload} />`}
    ${
      seen === undefined
        ? problem === undefined && html`<${Loading} lines=${4} label="Loading the animal" />`
        : html`
            ${
              may('updatePet')
                ? html`<p class="sheet-number">Number ${seen.pet.id}</p>
                    <${AnimalEditor} animal=${animal} onClose=${onClose} />`
                : html`<${AnimalDetails} pet=${seen.pet} />`
            }
            <${AnimalOrder} pet=${seen.pet} openOrder=${openOrder} reload=${animal.reload} />
            ${may('deletePet') && html`<${DeleteAnimal} seen=${seen} onDeleted=${onClose} />`}
          `
    }
  <//>`
}
