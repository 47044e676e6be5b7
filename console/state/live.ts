import { useEffect, useRef, useState } from 'preact/hooks'
import { type Change, followFeed } from './feed.ts'
import { LiveReader, type ReadState } from './live-reader.ts'

export interface LiveOptions<Result> {
  concerns: (change: Change) => boolean
  /** For what makes no events: it is read this often, and when the page gets the focus. */
  everyMs?: number
  /** Applies a change to the result, as far as possible without a read. */
  patch?: (result: Result, change: Change) => Result
}

export interface Live<Result> extends ReadState<Result> {
  /** Whether `result` belongs to the previous name. */
  isStale: boolean
  /** Reads again at once. Resolves to the result, if it succeeded. */
  reload: () => Promise<Result | undefined>
}

/**
 * The result of `read`, kept up to date. When `name` changes, the old result stays visible until the next one is read,
 * and is dropped if that fails.
 */
export function useLive<Result>(
  name: string,
  read: (signal: AbortSignal) => Promise<Result>,
  { concerns, patch, everyMs }: LiveOptions<Result>,
): Live<Result> {
  const [shown, setShown] = useState<ReadState<Result> & { name: string }>({ name, isLoading: true })
  const reader = useRef<LiveReader<Result>>(undefined)

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
    const onVisible = (): void => current.onVisible()
    const resume = (): void => current.resume()
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('online', resume)
    const refresh = (): void => current.refresh()
    const timer = everyMs === undefined ? undefined : setInterval(refresh, everyMs)
    if (everyMs !== undefined) addEventListener('focus', refresh)
    return () => {
      stopFollowing()
      current.stop()
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('online', resume)
      clearInterval(timer)
      removeEventListener('focus', refresh)
    }
  }, [name])

  return { ...shown, isStale: shown.name !== name, reload: async () => reader.current?.reload() }
}
