import type { ComponentChildren } from 'preact'
import { includesPermission, type Permission } from '../../src/contract/operation.ts'
import { failureOf } from '../api/failure.ts'
import {
  type ApiDocument,
  type KeyHolder,
  operationsOf,
  readApiDocument,
  readKeyHolder,
  redeemCode,
} from '../api/page-requests.ts'
import { type Rules, rulesFrom } from '../api/rules.ts'
import { connect, disconnect } from '../api/service.ts'
import { dropDrafts } from './drafts.ts'
import { notifyFailure } from './notices.ts'
import { dropPending, sendPending } from './pending.ts'
import { loadPreferences } from './preferences.ts'
import { onTabMessage, type SessionMessage, publishToTabs } from './tab-channel.ts'
import { isSignInLink, linkErrorText, takeSignInCode } from './sign-in-link.ts'
import { createStore, resetSessionStores, useStore } from './store.ts'
import { tabStorage } from './tab-storage.ts'

const storageKey = 'petstore-key'
const shopStorageKey = 'petstore-shop'

export interface SignedIn extends KeyHolder {
  state: 'in'
  key: string
  /** The number of sign-ins. */
  number: number
  /** The offered operations, each with its permission. */
  operations: ReadonlyMap<string, Permission>
  rules: Rules
  /** Only in a sandbox. */
  document?: ApiDocument
}

export interface SignedOut {
  state: 'out'
  /** Why the user was signed out, or why a link did not work. */
  reason?: 'refused' | 'left' | 'unreachable' | 'link' | undefined
  error?: unknown
  /** What was asked for and could not be done any more. */
  notDone?: readonly ComponentChildren[]
  retry?: () => Promise<void>
}

export type Session = { state: 'starting' } | SignedIn | SignedOut

/**
 * The session, shared by the tabs of this page. The key ends with the last of them: session storage survives only a
 * reload, and a new tab asks the others.
 */
const session = createStore<Session>({ state: 'starting' })

export function useSession(): Session {
  return useStore(session)
}

/** Only for components that are rendered while signed in. */
export function useSignedIn(): SignedIn {
  const current = useSession()
  // Rendered once more during the sign-out.
  return current.state === 'in' ? current : (lastSignedIn as SignedIn)
}

let lastSignedIn: SignedIn | undefined
let signIns = 0

/** Whether the service offers an operation and this key may use it. The page shows nothing else. */
export type May = (operation: string) => boolean

export function useMay(): May {
  const { operations, permission } = useSignedIn()
  return (operation) => {
    const needed = operations.get(operation)
    return needed !== undefined && includesPermission(permission, needed)
  }
}

/** Signs in with a key, here and in tabs that wait for one. Rejects, and changes nothing, if it is not accepted. */
export async function signIn(key: string): Promise<void> {
  await enter(key)
  publishToTabs({ kind: 'in', key })
}

/** Changes nothing if it is not wanted any more when the service has answered. */
async function enter(key: string, isWanted = () => true): Promise<void> {
  const [holder, document] = await Promise.all([readKeyHolder(key), readApiDocument()])
  if (!isWanted()) return
  // With the key that was used so far: what waits is about its shop.
  sendPending()
  resetSessionStores()
  // What was typed in one shop of a sandbox is not for another.
  if ((tabStorage.get(shopStorageKey) ?? holder.sandbox) !== holder.sandbox) dropDrafts()
  if (holder.sandbox !== undefined) tabStorage.set(shopStorageKey, holder.sandbox)
  tabStorage.set(storageKey, key)
  loadPreferences(holder.id)
  connect(key, () => (holder.sandbox === undefined ? signOut('refused') : void signOutIfRefused(key)))
  const { schemas } = document.components
  const offered = { operations: operationsOf(document), rules: rulesFrom(schemas) }
  const more = holder.sandbox === undefined ? {} : { document }
  lastSignedIn = { state: 'in', key, number: ++signIns, ...holder, ...offered, ...more }
  session.set(lastSignedIn)
}

/** A key was renamed; it may be the user's own. */
export function nameOwnKey({ id, name }: Pick<KeyHolder, 'id' | 'name'>): void {
  const current = session.get()
  if (current.state === 'in' && current.id === id) session.set((lastSignedIn = { ...current, name }))
}

/** A 401 of a sandbox may be a fault that was asked for, which must not close the view that ends it. */
async function signOutIfRefused(key: string): Promise<void> {
  const error: unknown = await readKeyHolder(key).then(
    () => undefined,
    (failed) => failed,
  )
  const current = session.get()
  const isSame = current.state === 'in' && current.key === key
  if (isSame && error !== undefined && failureOf(error).code === 'unauthorized') signOut('refused')
}

/** Ends the session in all tabs. Drafts are kept for the same user, unless the user left. */
export function signOut(reason: 'left' | 'refused'): void {
  const key = tabStorage.get(storageKey)
  end(reason)
  if (key !== undefined) publishToTabs({ kind: 'out', key, reason })
}

function end(reason: 'left' | 'refused'): void {
  tabStorage.remove(storageKey)
  // Before the key is gone. One that is refused can do nothing any more.
  const notDone = reason === 'left' ? [] : dropPending()
  if (reason === 'left') sendPending()
  if (reason === 'left') dropDrafts()
  disconnect()
  session.set({ state: 'out', reason, notDone })
  resetSessionStores()
}

/**
 * Signs in with the printed link, or with the key of this tab after a reload. Also works for a link opened in a tab
 * that already shows the console.
 */
export async function startSession(keyOfCode = redeemCode): Promise<void> {
  onTabMessage(onMessage)
  addEventListener('hashchange', () => {
    if (isSignInLink()) void signInByLink(keyOfCode)
  })
  if (isSignInLink()) await signInByLink(keyOfCode)
  else await resume()
}

function onMessage(message: SessionMessage): void {
  const current = session.get()
  if (message.kind === 'ask') {
    if (current.state === 'in') publishToTabs({ kind: 'in', key: current.key })
  } else if (message.kind === 'out') {
    if (tabStorage.get(storageKey) === message.key) end(message.reason)
  } else if (current.state === 'out') {
    // If it fails, the form is still there. The user may sign in meanwhile.
    enter(message.key, () => session.get().state === 'out').catch(() => undefined)
  }
}

async function signInByLink(keyOfCode: typeof redeemCode): Promise<void> {
  const code = takeSignInCode()
  try {
    await signIn(await keyOfCode(code))
  } catch (error) {
    // A broken link must not lose a working key.
    if (session.get().state === 'starting') await resume()
    if (session.get().state === 'in') notifyFailure('sign-in link', linkErrorText(error))
    else session.set({ state: 'out', reason: 'link', error })
  }
}

async function resume(): Promise<void> {
  const key = tabStorage.get(storageKey)
  if (key === undefined) {
    session.set({ state: 'out' })
    return publishToTabs({ kind: 'ask' })
  }
  try {
    await enter(key)
  } catch (error) {
    // A key that could not be checked is not invalid.
    if (failureOf(error).code !== 'unauthorized') {
      return session.set({ state: 'out', reason: 'unreachable', error, retry: resume })
    }
    tabStorage.remove(storageKey)
    session.set({ state: 'out', reason: 'refused' })
  }
}
