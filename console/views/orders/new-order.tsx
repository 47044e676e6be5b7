import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { Combobox } from '../../components/combobox.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { shortName } from '../../components/format.ts'
import { useSearchText } from '../../components/loading.tsx'
import { categoryLabel, useCategoryNames } from '../../state/categories.ts'
import { findAvailablePets, useSuggestions } from '../../state/suggestions.ts'
import { PlaceOrder } from './place-order.tsx'

/** Starts an order: first the animal, then who it is for. */
export function NewOrder({ onClose }: { onClose: () => void }): VNode {
  const [pet, setPet] = useState<Pet>()
  if (pet !== undefined) return <PlaceOrder pet={pet} onClose={onClose} onSettled={() => undefined} />
  return <ChooseAnimal onChoose={setPet} onClose={onClose} />
}

function ChooseAnimal({ onChoose, onClose }: { onChoose: (pet: Pet) => void; onClose: () => void }): VNode {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const asked = text.trim().replace(/^#(?=\d+$)/, '')
  const { items, isSearching } = useSuggestions(asked, findAvailablePets)
  const names = useCategoryNames(items.map(({ categoryId }) => categoryId))
  const searchText = useSearchText(isSearching)
  useEffect(() => document.getElementById('order-animal')?.focus(), [])
  const isMissing = asked !== '' && !isSearching && items.length === 0

  function submit(event: Event): void {
    event.preventDefault()
    const [only] = items
    if (!isSearching && only !== undefined && items.length === 1) return onChoose(only)
    setChecked(true)
    setOpen(true)
    document.getElementById('order-animal')?.focus()
  }
  const fault = isMissing
    ? 'No animal that is available matches.'
    : isChecked && !isSearching
      ? 'Choose an animal.'
      : undefined
  return (
    <Dialog label="New order" className="confirm new-order" onClose={onClose}>
      <h2>New order</h2>
      <form class="order-form" onSubmit={submit} noValidate>
        <Field
          id="order-animal"
          label="Animal"
          hint="Its name or number. Animals that are available are found."
          fault={fault}
          control={(tied) => (
            <Combobox
              tied={tied}
              label="Animals"
              text={text}
              options={items.map(({ id, name, categoryId }) => ({
                key: String(id),
                text: shortName(name),
                note: `${categoryLabel(names, categoryId)} · ${id}`,
              }))}
              progress={searchText}
              isOpen={isOpen}
              setOpen={setOpen}
              onType={(next) => {
                setChecked(false)
                setText(next)
              }}
              onChoose={(key) => {
                const chosen = items.find(({ id }) => String(id) === key)
                if (chosen !== undefined) onChoose(chosen)
              }}
            />
          )}
        />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Next
          </button>
        </div>
      </form>
    </Dialog>
  )
}
