import { ask } from './api.js'
import { createStore, useStore } from './store.js'

/** Names of animals by the digits of their ids; null for one that is gone. For lists that know only the ids. */
const names = createStore(new Map())

export function usePetNames() {
  return useStore(names)
}

export function forgetPetNames() {
  names.set(new Map())
}

/** Reads the names that are not known yet. What cannot be read now is simply not known. */
export async function loadPetNames(ids) {
  const missing = [...new Set(ids)].filter((id) => !names.get().has(id))
  await Promise.all(
    missing.map(async (id) => {
      const { body } = await ask(`/v1/pets?id=${id}`).catch(() => ({ body: undefined }))
      if (body !== undefined) names.set(new Map(names.get()).set(id, body[0]?.name ?? null))
    }),
  )
}
