import { ask, Problem } from './api.js'
import { tellOwnChange } from './feed.js'

export const pageSize = 20

/** The address of a page of a list. */
export function pageOf(path, query) {
  const given = Object.entries({ ...query, limit: pageSize }).filter(([, value]) => value !== undefined && value !== '')
  return `${path}?${new URLSearchParams(given)}`
}

/** A page: its items, how many there are on all pages if the service tells, and the cursor of the next page if there is one. */
export async function readPage(address, signal) {
  const { body, headers } = await ask(address, { headers: { Prefer: 'count=exact' }, signal })
  const total = headers.get('x-total-count')
  return { items: body, total: total === null ? undefined : Number(total), next: nextCursor(headers.get('link')) }
}

// Of the link only the cursor is taken: its address is the public one, which may not be the one this page came from.
function nextCursor(link) {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return target === undefined ? undefined : new URL(target, location.origin).searchParams.get('cursor')
}

/** How many animals match. */
export async function countPets(query = {}) {
  const search = new URLSearchParams({ ...query, limit: 1 })
  const { headers } = await ask(`/v1/pets?${search}`, { headers: { Prefer: 'count=exact' } })
  return Number(headers.get('x-total-count') ?? Number.NaN)
}

/** One animal and its validator; undefined if there is none. */
export async function readPet(id) {
  try {
    const { body, headers } = await ask(`/v1/pets/${id}`)
    return { pet: body, etag: headers.get('etag') ?? undefined }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'not_found') return undefined
    if (error.code !== 'gone') throw error
  }
  // From December 2030 on. This way there is no validator of the animal alone: `changePet` compares by itself.
  const { body } = await ask(`/v1/pets?id=${id}`)
  return body[0] === undefined ? undefined : { pet: body[0], etag: undefined }
}

export async function createPet(pet, attempt) {
  const { body } = await ask('/v1/pets', {
    method: 'POST',
    headers: { 'Idempotency-Key': attempt },
    body: encodePet(pet),
  })
  tellOwnChange()
  return body
}

/** Changes an animal if it is still as it was `seen`; otherwise rejects with `precondition_failed`. */
export async function changePet(seen, change) {
  const headers = await conditionOf(seen)
  const { body, headers: answered } = await ask(`/v1/pets/${seen.pet.id}`, {
    method: 'PATCH',
    headers,
    body: encodePet(change),
  })
  tellOwnChange()
  return { pet: body, etag: answered.get('etag') ?? undefined }
}

export async function removePet(seen) {
  await ask(`/v1/pets/${seen.pet.id}`, { method: 'DELETE', headers: await conditionOf(seen) })
  tellOwnChange()
}

async function conditionOf({ pet, etag }) {
  if (etag !== undefined) return { 'If-Match': etag }
  const now = await readPet(pet.id)
  if (now !== undefined && isSame(now.pet, pet)) return {}
  throw new Problem({ code: 'precondition_failed', message: 'The animal has changed.', status: 412 })
}

export function isSame(one, other) {
  return one.name === other.name && String(one.categoryId) === String(other.categoryId) && one.status === other.status
}

// By hand, because a category's digits must go out as they are, and not through a JavaScript number.
function encodePet({ name, categoryId, status }) {
  const members = []
  if (name !== undefined) members.push(`"name":${JSON.stringify(name)}`)
  if (categoryId !== undefined) members.push(`"categoryId":${categoryId}`)
  if (status !== undefined) members.push(`"status":${JSON.stringify(status)}`)
  return `{${members.join(',')}}`
}
