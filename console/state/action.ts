import { useRef, useState } from '../preact.js'

export interface Action<Input> {
  /** Does nothing while it is still under way. */
  run: (input: Input) => Promise<void>
  isRunning: boolean
  /** Why it did not work the last time. */
  error: unknown
  clearError: () => void
}

/** Something that a person asks for, once however often they click. */
export function useAction<Input = void>(act: (input: Input) => Promise<void>): Action<Input> {
  const isRunning = useRef(false)
  const [state, setState] = useState<{ isRunning: boolean; error?: unknown }>({ isRunning: false })

  async function run(input: Input): Promise<void> {
    // Not by the state, which is drawn later than a second click may come.
    if (isRunning.current) return
    isRunning.current = true
    setState({ isRunning: true })
    try {
      await act(input)
      setState({ isRunning: false })
    } catch (error) {
      setState({ isRunning: false, error })
    } finally {
      isRunning.current = false
    }
  }
  return { run, isRunning: state.isRunning, error: state.error, clearError: () => setState({ isRunning: false }) }
}
