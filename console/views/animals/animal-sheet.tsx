import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { isId } from '../../api/int64.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { Sheet } from '../../components/sheet.tsx'
import type { Pet } from '../../../client/src/index.ts'
import { useAnimal } from '../../state/animal.ts'
import { categoryText } from '../../state/categories.ts'
import { dropDraft, setDraft, useDraft } from '../../state/drafts.ts'
import { replaceWith } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'
import { visibleText } from '../../state/visible-text.ts'
import { AnimalDetails } from './animal-details.tsx'
import { AnimalEditor } from './animal-editor.tsx'
import type { PetDraft } from './pet-draft.ts'
import { AnimalHistory } from './animal-history.tsx'
import { AnimalOrder } from '../orders/animal-order.tsx'
import { PastOrders } from '../orders/past-orders.tsx'
import { DeleteAnimal } from './delete-animal.tsx'
import { NewAnimal } from './new-animal.tsx'

const firstOrders = 5

/** An existing or new animal on a sheet beside the list. Closing it keeps the typed text. */
export function AnimalSheet({ id, onClose }: { id: string; onClose: () => void }): VNode {
  const may = useMay()
  if (isId(id)) return <OneAnimal id={id} onClose={onClose} />
  if (id === 'new' && may('createPet')) {
    return (
      <Sheet title="Add an animal" label="Add an animal" onClose={onClose}>
        <NewAnimal onClose={onClose} />
      </Sheet>
    )
  }
  const title = id === 'new' ? 'This key may not add animals' : `No animal has the number ${id}`
  return (
    <Sheet title="Not here" label="Not here" onClose={onClose}>
      <Empty title={title} />
    </Sheet>
  )
}

function OneAnimal({ id, onClose }: { id: string; onClose: () => void }): VNode {
  const may = useMay()
  const [orderCount, setOrderCount] = useState(firstOrders)
  const { result, error, isStale, reload } = useAnimal(id, orderCount)
  const last = useRef<Pet | undefined>(undefined)
  const pet = result?.pet
  if (pet !== undefined) last.current = pet
  const label = `Animal ${id}`
  const orders = result !== undefined && result.pastOrders.length > 0 && (
    <PastOrders
      orders={result.pastOrders}
      showMore={result.hasMoreOrders && !isStale ? () => setOrderCount(4 * orderCount) : undefined}
    />
  )
  if (result !== undefined && pet === undefined) {
    return (
      <Sheet title={last.current?.name ?? label} label={label} onClose={onClose}>
        <DeletedAnimal id={id} last={last.current} />
        {orders}
      </Sheet>
    )
  }
  return (
    <Sheet title={visibleText(pet?.name ?? label)} label={label} onClose={onClose}>
      <ErrorNotice error={error} retry={reload} />
      {pet === undefined ? (
        error === undefined && <Loading lines={4} label="Loading the animal" />
      ) : (
        <>
          {may('updatePet') ? (
            <>
              <p class="sheet-number">Animal number {pet.id}</p>
              <AnimalEditor pet={pet} openOrder={result?.openOrder} reload={reload} onClose={onClose} />
            </>
          ) : (
            <AnimalDetails pet={pet} />
          )}
          <AnimalOrder pet={pet} openOrder={result?.openOrder} lastOrder={result?.pastOrders[0]} reload={reload} />
          {orders}
          {may('listEvents') && <AnimalHistory pet={pet} reload={reload} />}
          {may('deletePet') &&
            (result?.openOrder === undefined ? (
              <DeleteAnimal pet={pet} onClose={onClose} />
            ) : (
              <p class="note">It can be deleted once its order has ended.</p>
            ))}
        </>
      )}
    </Sheet>
  )
}

/** An unknown or deleted animal. The typed text can become a new animal. */
function DeletedAnimal({ id, last }: { id: string; last: Pet | undefined }): VNode {
  const may = useMay()
  const draft: PetDraft | undefined = useDraft(`pet-${id}`)
  if (last === undefined && draft === undefined) {
    return <Empty title={`No animal has the number ${id}`}>It may have been deleted.</Empty>
  }
  function addAsNew(): void {
    const shown = last && { name: last.name, category: categoryText(last.categoryId), status: last.status ?? null }
    setDraft('new', { ...shown, ...draft })
    dropDraft(`pet-${id}`)
    replaceWith({ animal: 'new' })
  }
  return (
    <>
      <div class="meanwhile" role="alert">
        <p>
          <strong>Somebody deleted this animal meanwhile.</strong>
        </p>
        {draft?.name !== undefined && (
          <p>
            You typed: <bdi>{visibleText(draft.name)}</bdi>
          </p>
        )}
      </div>
      {draft !== undefined && may('createPet') && (
        <button type="button" class="button" onClick={addAsNew}>
          Add it as a new animal…
        </button>
      )}
    </>
  )
}
