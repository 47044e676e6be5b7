import { useEffect, useState } from 'preact/hooks'
import { followReach, wasReached } from '../api/reach.ts'
import { mayReach, useFeedState } from './feed.ts'

/**
 * Whether the service may be reached. One on this machine is, without any network: only the feed and the requests of
 * the page know that. The feed alone may not: a connection that is open can outlive the network.
 */
export function isOnline(): boolean {
  return navigator.onLine || (mayReach() && wasReached())
}

export function useOnline(): boolean {
  useFeedState() // Renders again.
  const [, setOnline] = useState(isOnline)
  useEffect(() => {
    const update = (): void => setOnline(isOnline())
    update()
    const stop = followReach(update)
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      stop()
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return isOnline()
}

/** What failed is tried again at once, as after a lost network. */
export function retryAll(): void {
  dispatchEvent(new Event('online'))
}
