import type { Order, OrderEvent, Pet, PetEvent, PetStore, ShopEvent } from '../../client/src/index.ts'
import { isCurrent } from '../api/service.ts'
import { maxFeedWaitMs } from './feed-wait.ts'
import { createSessionStore, useStore } from './store.ts'

/** `off`: the service offers no events, or nobody is signed in. `waiting`: not connected, will try again. */
export type FeedState = 'off' | 'connecting' | 'live' | 'waiting'

/** A change by anyone. Only changes reported by the service are events with an id and a time. */
export type Change = ShopEvent | { type: PetEvent['type']; data: Pet } | { type: OrderEvent['type']; data: Order }

/** `missed`: anything may have changed. `resumed`: connected again, and nothing was missed. */
export type FeedSignal = Change | 'missed' | 'resumed'

const state = createSessionStore<FeedState>('off')
const followers = new Set<(signal: FeedSignal) => void>()

export function useFeedState(): FeedState {
  return useStore(state)
}

export function setFeedState(next: FeedState): void {
  if (next !== state.get()) state.set(next)
}

export function isFeedLive(): boolean {
  return state.get() === 'live'
}

/** Whether the stream is connected, or about to be for the first time. */
export function mayReach(): boolean {
  return state.get() === 'live' || state.get() === 'connecting'
}

/** Calls back with every state. */
export function followFeedState(follower: (next: FeedState) => void): () => void {
  return state.follow(follower)
}

/** Calls back with every signal. Returns a function to stop. */
export function followFeed(follower: (signal: FeedSignal) => void): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}

export function publish(signal: FeedSignal): void {
  for (const follower of followers) follower(signal)
}

/** Tells of a change that was made with `client`, unless another session, maybe of another shop, has begun since. */
export function publishOwn(client: PetStore, change: Change): void {
  if (isCurrent(client)) publish(change)
}

/** Resolves when the stream is connected, or will not be soon. Later reads miss no change. */
export function feedSettled(): Promise<void> {
  if (state.get() !== 'connecting') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, maxFeedWaitMs)
    const stop = state.follow((next) => {
      if (next !== 'connecting') done()
    })
    function done(): void {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

export function isPetChange(change: Change): change is Extract<Change, { data: Pet }> {
  return change.type.startsWith('petstore.pet.')
}

/** The digits of the id of the animal that a change is about. */
export function petIdOf(change: Change): string {
  return String(isPetChange(change) ? change.data.id : change.data.petId)
}
