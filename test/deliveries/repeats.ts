import assert from 'node:assert/strict'

export interface Repeat {
  id: number
  /** Where in the list it is. */
  index: number
}

/**
 * The events that were received again. Fails if one was skipped or came before its turn: each id is one above the
 * highest so far, or was received before.
 */
export function repeatsIn(ids: readonly number[]): Repeat[] {
  let highest = 0
  const repeats: Repeat[] = []
  for (const [index, id] of ids.entries()) {
    assert.ok(id >= 1 && id <= highest + 1, `${id} was received after ${highest}`)
    if (id > highest) highest = id
    else repeats.push({ id, index })
  }
  return repeats
}
