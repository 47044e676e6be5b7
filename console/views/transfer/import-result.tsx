import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { plural } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { saveFile } from '../../state/download.ts'
import type { Import, ImportProgress } from '../../state/import/run.ts'
import { useMay } from '../../state/session.ts'
import { RejectedList } from './import-check.tsx'
import { UndoImport } from './undo-import.tsx'

interface ImportResultProps {
  started: Import
  progress: ImportProgress
  /** The number of rows of the file. More than are done, if the import was stopped. */
  count: number
  onClose: () => void
}

/** What became of an imported file. */
export function ImportResult({ started, progress, count, onClose }: ImportResultProps): VNode {
  const { done, added, rejected } = progress
  const { rejects } = started
  const left = count - done
  const result = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone.
  useEffect(() => result.current?.focus(), [])
  const may = useMay()
  const [isUndoing, setUndoing] = useState(false)
  const saving = useAction(async () => {
    await started.rejectRest()
    const file = rejects.file()
    saveFile(file.name, file)
  })
  return (
    <>
      <p ref={result} tabindex={-1} role="status">
        {plural(added, 'animal was', 'animals were')} added. {plural(rejected, 'row was', 'rows were')} rejected.
        {left > 0 && ` ${plural(left, 'row was', 'rows were')} not imported, because you stopped.`}
      </p>
      <RejectedList label="Rejected rows" rejects={rejects.first()} count={rejected} />
      {rejected + left > 0 && (
        <p class="note">
          Save the rows that are missing, mend them, and import that file: the others are not added twice.
        </p>
      )}
      <ErrorNotice error={saving.error} />
      <div class="actions">
        {rejected + left > 0 && (
          <Button isDisabled={saving.isRunning} onClick={() => saving.run()}>
            Save the missing rows
          </Button>
        )}
        {added > 0 && may('undoImport') && (
          <button type="button" class="button" onClick={() => setUndoing(true)}>
            Undo this import
          </button>
        )}
        <button type="button" class="button primary" onClick={onClose}>
          Close
        </button>
      </div>
      {isUndoing && (
        <UndoImport
          importId={started.importId}
          added={added}
          // The missing rows can be saved here only.
          onClose={(isDone) => (isDone ? onClose() : setUndoing(false))}
        />
      )}
    </>
  )
}
