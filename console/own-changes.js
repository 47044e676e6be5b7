// The status that an animal is about to get by an order of this tab, by the animal's id. Noted before the request is sent:
// the live feed may tell of the change before the answer arrives.
const expected = new Map()

/** Runs a change of an order that gives its animal `status`. If the change fails, nothing is expected any more. */
export async function expectingStatus(petId, status, change) {
  expected.set(String(petId), status)
  try {
    return await change()
  } catch (problem) {
    expected.delete(String(petId))
    throw problem
  }
}

/** Whether this tab itself made the difference between the two. True once for each change. */
export function isOwnChange(before, now) {
  const id = String(now.id)
  const isOwn = now.status !== before.status && expected.get(id) === now.status
  if (isOwn) expected.delete(id)
  return isOwn && now.name === before.name && String(now.categoryId) === String(before.categoryId)
}
