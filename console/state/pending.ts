import type { ComponentChildren } from 'preact'
import type { PetStore } from '../../client/src/index.ts'
import { errorText } from '../api/error-text.ts'
import { failureOf } from '../api/failure.ts'
import { followReach } from '../api/reach.ts'
import { isCurrent, lastingService } from '../api/service.ts'
import { type Change, followFeed, followFeedState } from './feed.ts'
import { dismissFailure, notify, notifyFailure } from './notices.ts'
import { isOnline } from './online.ts'
import { createSessionStore, useStore } from './store.ts'

/** How long an action waits for an Undo, in milliseconds. */
const waitMs = 8_000
/** More cannot be shown with their Undo: the oldest is sent. */
const maxPending = 3

/** An action that cannot be undone once it is sent: it waits in the page. The texts are sentences without their dot. */
export interface FinalAction {
  /** What it is about, such as `order 7`. At most one action for each waits. */
  subject: string
  /** What is about to happen. */
  text: ComponentChildren
  done: ComponentChildren
  undone: ComponentChildren
  notDone: ComponentChildren
  /** Has the same effect if it is sent twice. */
  send: (client: PetStore) => Promise<void>
  /** Why a change by somebody else makes it pointless; undefined if it does not. */
  obsoleteBy: (change: Change) => ComponentChildren
}

export interface Pending extends FinalAction {
  number: number
  /** `offline`: its time is over, but the service cannot be reached. */
  state: 'waiting' | 'offline' | 'sending'
  client: PetStore
}

const pending = createSessionStore<readonly Pending[]>([])
/** What was not done and may be tried again. */
const failed = createSessionStore<readonly FinalAction[]>([])
let count = 0

export function usePending(): readonly Pending[] {
  return useStore(pending)
}

/** Whether an action about this waits or is being sent. */
export function useIsPending(subject: string): boolean {
  return useStore(pending).some((one) => one.subject === subject)
}

/** Makes an action wait for an Undo. It is sent after a while, or when the page is left. */
export function postpone(action: FinalAction): void {
  if (pending.get().some(({ subject }) => subject === action.subject)) return
  const waiting = pending.get().filter(({ state }) => state !== 'sending')
  for (const oldest of waiting.slice(0, Math.max(0, waiting.length + 1 - maxPending))) void send(oldest)
  sendLater(add(action).number)
}

function sendLater(number: number): void {
  setTimeout(() => onTimeUp(number), waitMs)
}

/** Numbers of actions whose Undo has the focus: whoever is about to use it needs no hurry. */
const held = new Set<number>()

export function holdPending(number: number): void {
  held.add(number)
}

/** Its time begins again. */
export function releasePending(number: number): void {
  if (held.delete(number)) sendLater(number)
}

function add(action: FinalAction): Pending {
  const added: Pending = { ...action, number: ++count, state: 'waiting', client: lastingService() }
  pending.set([...pending.get(), added])
  forgetFailure(action.subject)
  return added
}

function forgetFailure(subject: string): void {
  failed.set(failed.get().filter((one) => one.subject !== subject))
  dismissFailure(subject)
}

/** Takes an action back, if it was not sent. */
export function undo(number: number): void {
  const found = pending.get().find((one) => one.number === number)
  if (found === undefined || found.state === 'sending') return
  remove(number)
  notify(found.undone)
}

/** Takes the latest action back. Returns whether there was one. */
export function undoLatest(): boolean {
  const latest = pending.get().findLast(({ state }) => state !== 'sending')
  if (latest !== undefined) undo(latest.number)
  return latest !== undefined
}

/** Sends all actions that wait. */
export function sendPending(): void {
  for (const one of pending.get()) if (one.state !== 'sending') void send(one)
}

/** Forgets all actions. Returns what was not done. */
export function dropPending(): readonly ComponentChildren[] {
  const dropped = pending.get()
  pending.set([])
  return dropped.map(({ notDone }) => notDone)
}

function onTimeUp(number: number): void {
  const found = pending.get().find((one) => one.number === number)
  if (found?.state !== 'waiting' || held.has(number)) return
  if (isOnline()) void send(found)
  else update(number, 'offline')
}

async function send(action: Pending): Promise<void> {
  update(action.number, 'sending')
  const signedIn = () => isCurrent(action.client) && pending.get().some(({ number }) => number === action.number)
  try {
    await action.send(action.client)
    if (!signedIn()) return
    remove(action.number)
    notify(action.done)
  } catch (error) {
    if (!signedIn()) return
    // The network was lost meanwhile: it waits as if that had happened before.
    if (!isOnline() && failureOf(error).code === 'unreachable') return update(action.number, 'offline')
    remove(action.number)
    const retry = { text: 'Try again', act: () => void send(add(action)) }
    failed.set([...failed.get(), action])
    notifyFailure(action.subject, [action.notDone, '. ', errorText(error)], retry)
  }
}

function update(number: number, state: Pending['state']): void {
  pending.set(pending.get().map((one) => (one.number === number ? { ...one, state } : one)))
}

function remove(number: number): void {
  pending.set(pending.get().filter((one) => one.number !== number))
}

followFeed((change) => {
  if (typeof change === 'string') return
  // It can be tried no more, or was done: the response of the service was lost.
  for (const { subject, obsoleteBy } of failed.get()) if (obsoleteBy(change) !== undefined) forgetFailure(subject)
  for (const { number, subject, state, obsoleteBy } of pending.get()) {
    const why = state === 'sending' ? undefined : obsoleteBy(change)
    if (why === undefined) continue
    remove(number)
    notifyFailure(subject, why)
  }
})

/** Sends what waits when the page is left or hidden: a phone may end a hidden page without a word. */
export function startPending(): void {
  addEventListener('pagehide', () => {
    // The timer of a next attempt ends with the page.
    for (const { state, send, client } of pending.get()) if (state === 'sending') send(client).catch(() => undefined)
    sendPending()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && isOnline()) sendPending()
  })
  const sendLate = (): void => {
    for (const one of pending.get()) if (one.state === 'offline') void send(one)
  }
  addEventListener('online', sendLate)
  followReach(() => {
    if (isOnline()) sendLate()
  })
  followFeedState((state) => {
    if (state === 'live') sendLate()
  })
  // Without a network it would be lost.
  addEventListener('beforeunload', (event) => {
    if (pending.get().length > 0 && !isOnline()) event.preventDefault()
  })
}
