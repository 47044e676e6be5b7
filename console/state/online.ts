import { useEffect, useState } from 'preact/hooks'

/** Whether the machine has a network. */
export function useOnline(): boolean {
  const [isOnline, setOnline] = useState(() => navigator.onLine)
  useEffect(() => {
    const update = (): void => setOnline(navigator.onLine)
    update()
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return isOnline
}

/** What failed is tried again at once, as after a lost network. */
export function retryAll(): void {
  dispatchEvent(new Event('online'))
}
