let isReached = true
const followers = new Set<() => void>()

/** Whether the last request of the page had a response; also after `noteReach(true)`. */
export function wasReached(): boolean {
  return isReached
}

/** Tells whether a request had a response, or failed for the network. */
export function noteReach(hasResponse: boolean): void {
  if (hasResponse === isReached) return
  isReached = hasResponse
  for (const follower of followers) follower()
}

/** Calls back when requests begin to fail, or to have responses again. Returns a function to stop. */
export function followReach(follower: () => void): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}
