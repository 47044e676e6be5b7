import type { VNode } from 'preact'
import type { Pet } from '../../../client/src/index.ts'
import { shortName } from '../../components/format.ts'
import { categoryLabel, useCategoryNames } from '../../state/categories.ts'
import { type NoticeLink, notify } from '../../state/notices.ts'
import { type OrderTexts, placeOrder } from '../../state/orders.ts'
import { OrderForm } from './order-form.tsx'

interface PlaceOrderProps {
  pet: Pet
  onClose: () => void
  /** Called after each attempt, also a failed one: somebody else may have ordered the animal. */
  onSettled: () => unknown
  /** In the notice about the placed order. */
  link?: NoticeLink
}

const noTexts: OrderTexts = { customer: undefined, note: undefined }

/** Asks for confirmation before an order is placed, and who it is for. */
export function PlaceOrder({ pet, onClose, onSettled, link }: PlaceOrderProps): VNode {
  const name = shortName(pet.name)
  const names = useCategoryNames([pet.categoryId])
  async function place(texts: OrderTexts): Promise<boolean> {
    try {
      const { id } = await placeOrder(pet.id, texts)
      notify(
        <>
          Order {id} for <bdi>{name}</bdi> was placed
        </>,
        link,
      )
      return true
    } finally {
      onSettled()
    }
  }
  return (
    <OrderForm
      title="Place an order?"
      draftName={`order-of-pet-${pet.id}`}
      texts={noTexts}
      submitText="Place the order"
      busyText="Placing…"
      onSubmit={place}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        , number {pet.id}, <bdi>{shortName(categoryLabel(names, pet.categoryId))}</bdi>. It will be pending: nobody else
        can order it.
      </p>
    </OrderForm>
  )
}
