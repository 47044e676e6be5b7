import { ask, Problem, signWith } from './api.js'
import { rulesFrom } from './rules.js'
import { createStore, useStore } from './store.js'

const kept = 'petstore-key'

/**
 * Who is signed in. The key lives as long as the tab: session storage survives a reload and nothing else.
 * `state` is `starting`, `out` or `in`; `reason` tells why somebody was signed out.
 */
const session = createStore({ state: 'starting' })

export function useSession() {
  return useStore(session)
}

/** Whether the service offers an operation and this key may use it. What is not so is not offered to the person either. */
export function useMay() {
  const { operations, permission } = useSession()
  return (id) => {
    const needed = operations?.get(id)
    return needed === 'read' || (needed === 'write' && permission === 'write')
  }
}

export function signedInAs() {
  return session.get()
}

/** Signs in with a key. Rejects, and leaves all as it was, when the service does not take it. */
export async function signIn(key) {
  signWith(key, () => undefined)
  try {
    const [{ body: holder }, { body: document }] = await Promise.all([ask('/console/key'), ask('/openapi.json')])
    signWith(key, () => signOut('refused'))
    sessionStorage.setItem(kept, key)
    session.set({
      state: 'in',
      key,
      ...holder,
      operations: operationsOf(document),
      rules: rulesFrom(document.components.schemas),
    })
  } catch (error) {
    signWith(undefined, () => undefined)
    throw error
  }
}

export function signOut(reason) {
  sessionStorage.removeItem(kept)
  signWith(undefined, () => undefined)
  session.set({ state: 'out', reason })
}

/** Signs in by the link that the first start printed, or with the key that this tab had before it was loaded again. */
export async function resume() {
  const code = /^#sign-in=(.+)$/.exec(location.hash)?.[1]
  // Before anything else: neither the history nor a bookmark is to have the code.
  if (code !== undefined) history.replaceState(null, '', location.pathname)
  const key = sessionStorage.getItem(kept)
  if (code === undefined && key === null) return session.set({ state: 'out' })
  try {
    await signIn(code === undefined ? key : await redeem(code))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // A key that could not be tried is not a bad key.
    if (error.code === 'unauthorized') sessionStorage.removeItem(kept)
    const reason = code === undefined ? (error.code === 'unauthorized' ? 'refused' : 'unreachable') : 'link'
    session.set({ state: 'out', reason, problem: error, retry: reason === 'unreachable' ? resume : undefined })
  }
}

async function redeem(code) {
  const { body } = await ask('/console/sign-in', {
    method: 'POST',
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  })
  return body.key
}

/** The operations that the service offers, each with the permission that it takes. */
function operationsOf({ paths }) {
  const found = Object.values(paths).flatMap((path) => Object.entries(path))
  return new Map(found.map(([method, { operationId }]) => [operationId, method === 'get' ? 'read' : 'write']))
}
