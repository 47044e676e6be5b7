import { useEffect, useState } from 'preact/hooks'
import { mayReach, useFeedState } from './feed.ts'

/** Whether the service may be reached. One on this machine is, without any network, and only the feed knows that. */
export function isOnline(): boolean {
  return navigator.onLine || mayReach()
}

export function useOnline(): boolean {
  useFeedState() // Renders again.
  const [, setNetwork] = useState(() => navigator.onLine)
  useEffect(() => {
    const update = (): void => setNetwork(navigator.onLine)
    update()
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
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
