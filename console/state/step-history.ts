import { useEffect, useState } from 'preact/hooks'
import { randomId } from '../../client/src/random-id.ts'

/** What the browser's history keeps with a step. */
interface StepState {
  /** Of the dialog: another one, also after a reload, starts at its first step. */
  dialog: string
  /** How many steps are before it. */
  depth: number
  step: string
}

export interface StepHistory<Step> {
  step: Step
  goTo(step: Step): void
  goBack(): void
  /** Removes the steps from the browser's history, when the dialog is closed. */
  leave(): void
}

/** The steps of a dialog. The browser's Back leads to the step before, and not away from what was chosen. */
export function useStepHistory<Step extends string>(first: Step): StepHistory<Step> {
  const [dialog] = useState(randomId)
  const [step, setStep] = useState(first)
  const current = (): StepState => {
    const { steps } = (history.state ?? {}) as { steps?: StepState }
    return steps?.dialog === dialog ? steps : { dialog, depth: 0, step: first }
  }
  useEffect(() => {
    const onPopState = () => setStep(current().step as Step)
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [])
  return {
    step,
    goTo(next) {
      const steps: StepState = { dialog, depth: current().depth + 1, step: next }
      history.pushState({ ...(history.state as object | null), steps }, '')
      setStep(next)
    },
    goBack: () => history.back(),
    leave() {
      const { depth } = current()
      if (depth > 0) history.go(-depth)
    },
  }
}
