import type { VNode } from 'preact'
import { Button } from '../../components/button.tsx'

interface ImportActionsProps {
  /** What the main button does. */
  next: string
  isNextDisabled: boolean
  /** Ends an import that is under way; undefined if none is. */
  stop: (() => void) | undefined
  isStopped: boolean
  onCancel: () => void
  /** Undefined in the first step. */
  onBack: (() => void) | undefined
}

/** The buttons of an import, in every step and while it is under way. */
export function ImportActions(props: ImportActionsProps): VNode {
  const { next, isNextDisabled, stop, isStopped, onCancel, onBack } = props
  return (
    <div class="actions">
      {stop !== undefined ? (
        <Button isDisabled={isStopped} onClick={stop}>
          Stop
        </Button>
      ) : (
        <>
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
          {onBack !== undefined && (
            <button type="button" class="button" onClick={onBack}>
              Back
            </button>
          )}
        </>
      )}
      <Button className="button primary" isDisabled={isNextDisabled}>
        {next}
      </Button>
    </div>
  )
}
