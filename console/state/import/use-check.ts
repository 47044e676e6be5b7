import { useEffect, useState } from 'preact/hooks'
import { service } from '../../api/service.ts'
import { checkImport, type ImportCheck } from './check.ts'
import type { ImportPlan } from './chunks.ts'

export interface CheckState {
  /** Undefined until the check of this plan has ended. */
  result?: ImportCheck
  /** The number of rows that were checked. */
  done: number
  error?: unknown
}

/** Checks a plan whenever it has changed. Nothing is checked while it is undefined. */
export function useCheck(plan: ImportPlan | undefined): CheckState & { retry: () => void } {
  const [state, setState] = useState<CheckState & { plan?: ImportPlan | undefined }>({ done: 0 })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    setState({ done: 0, plan })
    if (plan === undefined) return
    const stop = new AbortController()
    const show = (next: CheckState) => !stop.signal.aborted && setState({ ...next, plan })
    const onProgress = (done: number) => show({ done })
    checkImport(service().pets, plan, { signal: stop.signal, onProgress }).then(
      (result) => show({ result, done: plan.file.count }),
      (error: unknown) => show({ done: 0, error }),
    )
    return () => stop.abort()
  }, [plan, attempt])
  const isOfThisPlan = state.plan === plan
  return { ...(isOfThisPlan ? state : { done: 0 }), retry: () => setAttempt(attempt + 1) }
}
