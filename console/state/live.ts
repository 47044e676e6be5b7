import { useEffect, useRef, useState } from '../preact.js'
import { type Change, followFeed } from './feed.ts'
import { LiveReader, type ReadState } from './live-reader.ts'

export interface LiveOptions<Result> {
  concerns: (change: Change) => boolean
  /** What the result becomes by a change, as far as that can be told without reading. */
  patch?: (result: Result, change: Change) => Result
}

export interface Live<Result> extends ReadState<Result> {
  /** Whether `result` belongs to what was shown before. */
  isStale: boolean
  /** Reads again at once. Resolves to what was read, if that worked. */
  reload: () => Promise<Result | undefined>
}

/**
 * What `read` returns, kept up to date. `name` says what is read: when it changes, the result before stays on the screen
 * until the next one is there, and goes when that cannot be read.
 */
export function useLive<Result>(
  name: string,
  read: (signal: AbortSignal) => Promise<Result>,
  { concerns, patch }: LiveOptions<Result>,
): Live<Result> {
  const [shown, setShown] = useState<ReadState<Result> & { name: string }>({ name, isLoading: true })
  const reader = useRef<LiveReader<Result>>()

  useEffect(() => {
    const current = new LiveReader(read, (state) => {
      setShown((before) => {
        if (state.result !== undefined) return { ...state, name }
        const isSame = before.name === name
        return state.error === undefined || isSame
          ? { ...before, error: state.error, isLoading: state.isLoading }
          : { ...state, name }
      })
    })
    reader.current = current
    void current.start()
    const stopFollowing = followFeed((signal) => {
      if (signal === 'missed') return current.refresh()
      if (signal === 'resumed') return current.resume()
      if (!concerns(signal)) return
      if (patch !== undefined) current.patch((result) => patch(result, signal))
      current.refresh()
    })
    const look = (): void => current.look()
    const resume = (): void => current.resume()
    document.addEventListener('visibilitychange', look)
    addEventListener('online', resume)
    return () => {
      stopFollowing()
      current.stop()
      document.removeEventListener('visibilitychange', look)
      removeEventListener('online', resume)
    }
  }, [name])

  return { ...shown, isStale: shown.name !== name, reload: async () => reader.current?.reload() }
}
