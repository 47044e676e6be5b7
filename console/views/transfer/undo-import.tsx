import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CallError } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { plural } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { continueUndo, newUndo, type UndoRun } from '../../state/import/undo.ts'

interface UndoImportProps {
  importId: string
  /** How many animals it has added. */
  added: number
  /** Called after each attempt, also a failed one. */
  onSettled?: () => unknown
  onClose: (isDone: boolean) => void
}

/** Asks whether to take an import back, does it part by part, and says which animals stay. */
export function UndoImport({ importId, added, onSettled, onClose }: UndoImportProps): VNode {
  const [run, setRun] = useState<UndoRun>()
  const isStopped = useRef(false)
  const [isStopping, setStopping] = useState(false)
  // Nothing goes on out of sight.
  useEffect(() => () => void (isStopped.current = true), [])
  const {
    run: undo,
    isRunning,
    error,
  } = useAction(async () => {
    const started = run ?? newUndo(importId)
    isStopped.current = false
    setStopping(false)
    setRun(started)
    try {
      await continueUndo(started, setRun, () => isStopped.current)
    } finally {
      onSettled?.()
    }
  })
  const animals = plural(added, 'animal', 'animals')
  const isDone = run?.isDone === true
  const result = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone.
  useEffect(() => {
    if (isDone) result.current?.focus()
  }, [isDone])
  const close = () => !isRunning && onClose(isDone)
  function stop(): void {
    isStopped.current = true
    setStopping(true)
  }
  return (
    <Dialog label="Undo this import" className="confirm" onClose={close}>
      <h2>{isDone ? 'This import was undone' : 'Undo this import?'}</h2>
      {run === undefined && (
        <p>
          It added {animals}. Those that nobody has changed or ordered since are deleted for good. Its new categories
          stay.
        </p>
      )}
      {isRunning && <progress max={added} value={run && run.removed + run.kept} aria-label="Progress" />}
      {/* A dialog opens with the focus on the first element that can have it: that is Cancel. */}
      <p ref={result} tabindex={isDone ? -1 : undefined} role="status">
        {run !== undefined && (run.calls > 0 || isDone) && summaryOf(run)}
        {run !== undefined && !isRunning && !isDone && ` ${restText(error)}`}
      </p>
      {run !== undefined && run.keeps.length > 0 && <Kept run={run} />}
      <ErrorNotice error={error} />
      <div class="actions">
        {isRunning ? (
          <Button isDisabled={isStopping} onClick={stop}>
            {isStopping ? 'Stopping…' : 'Stop'}
          </Button>
        ) : (
          <Button isDisabled={false} onClick={close}>
            {run === undefined ? 'Cancel' : 'Close'}
          </Button>
        )}
        {!isDone && (
          <Button className="button danger" isDisabled={isRunning} onClick={() => undo()}>
            {run === undefined ? `Delete ${animals}` : 'Go on'}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** What became of the animals that no response was about. */
function restText(error: unknown): string {
  return error instanceof CallError && error.mayHaveSucceeded
    ? 'Up to 1,000 more may have been deleted. Go on to find out.'
    : 'The others are still there. Go on now, or later from Activity.'
}

function summaryOf({ removed, kept }: UndoRun): string {
  const stay = kept === 0 ? '' : ` ${plural(kept, 'animal stays', 'animals stay')}: changed or ordered since.`
  return `${plural(removed, 'animal was', 'animals were')} deleted.${stay}`
}

function Kept({ run: { kept, keeps } }: { run: UndoRun }): VNode {
  return (
    <div class="failures">
      <ul tabindex={0} aria-label="Animals that stay">
        {keeps.map(({ id, message }) => (
          <li key={id}>
            Animal {id}: {message}
          </li>
        ))}
      </ul>
      {kept > keeps.length && <p class="note">These are the first {keeps.length}.</p>}
    </div>
  )
}
