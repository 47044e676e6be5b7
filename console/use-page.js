import { followFeed } from './feed.js'
import { readPage } from './pets.js'
import { useCallback, useEffect, useRef, useState } from './preact.js'

/** In milliseconds. However much happens, a page that is open is read again no more often than this. */
const calm = 700

/**
 * A page of a list. The one before stays on the screen until the next is there. It is read again when an event says so that
 * `concerns` it, and when the window comes back to the front.
 */
export function usePage(address, concerns) {
  const [page, setPage] = useState({ isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(page)
  latest.current = page
  const reload = useCallback(() => setRound((number) => number + 1), [])

  useEffect(() => {
    const reading = new AbortController()
    // Another page starts at its top.
    if (latest.current.address !== undefined && latest.current.address !== address) scrollTo(0, 0)
    setPage((before) => ({ ...before, isLoading: true, problem: undefined }))
    readPage(address, reading.signal).then(
      (read) => setPage({ ...read, address, isLoading: false }),
      (problem) => {
        if (!reading.signal.aborted) setPage((before) => ({ ...before, isLoading: false, problem }))
      },
    )
    return () => reading.abort()
  }, [address, round])

  useEffect(() => {
    let timer
    const stop = followFeed((event) => {
      if (event !== undefined && !concerns(event, latest.current)) return
      timer ??= setTimeout(() => {
        timer = undefined
        reload()
      }, calm)
    })
    function lookAgain() {
      if (document.visibilityState === 'visible') reload()
    }
    document.addEventListener('visibilitychange', lookAgain)
    addEventListener('online', reload)
    return () => {
      clearTimeout(timer)
      stop()
      document.removeEventListener('visibilitychange', lookAgain)
      removeEventListener('online', reload)
    }
  }, [address])

  // What is on the screen may still be the page before.
  return { ...page, isStale: page.address !== address, reload }
}
