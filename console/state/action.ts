import { useRef, useState } from 'preact/hooks'

export interface Action<Input> {
  /** Does nothing while it is running. */
  run: (input: Input) => Promise<void>
  isRunning: boolean
  /** The error of the last run. */
  error: unknown
  clearError: () => void
}

/** An action that runs once, however often the user clicks. */
export function useAction<Input = void>(act: (input: Input) => Promise<void>): Action<Input> {
  const isRunning = useRef(false)
  const [state, setState] = useState<{ isRunning: boolean; error?: unknown }>({ isRunning: false })

  async function run(input: Input): Promise<void> {
    // A ref, because state is rendered later than a second click may come.
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
