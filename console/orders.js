import { ask, newAttempt } from './api.js'
import { tellOwnChange } from './feed.js'
import { expectingStatus } from './own-changes.js'

/** One attempt for each animal until it succeeds: asking again after a lost answer finds the same order. */
const attempts = new Map()

export async function placeOrder(petId) {
  const attempt = attempts.get(petId) ?? newAttempt()
  attempts.set(petId, attempt)
  const { body } = await expectingStatus(petId, 'pending', () =>
    ask('/v1/store/orders', {
      method: 'POST',
      headers: { 'Idempotency-Key': attempt },
      body: `{"petId":${petId}}`,
    }),
  )
  attempts.delete(petId)
  tellOwnChange()
  return body
}

/** Ends an open order: `completed` or `cancelled`. */
export async function endOrder({ id, petId }, status) {
  const { body } = await expectingStatus(petId, status === 'completed' ? 'sold' : 'available', () =>
    ask(`/v1/store/orders/${id}`, { method: 'PATCH', body: JSON.stringify({ status }) }),
  )
  tellOwnChange()
  return body
}

/** The open order for an animal, if it has one. */
export async function openOrderFor(petId) {
  const { body } = await ask(`/v1/store/orders?petId=${petId}&status=placed&limit=1`)
  return body[0]
}
