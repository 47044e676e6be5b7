import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { service } from '../../api/service.ts'
import { Button } from '../../components/button.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { formatCount, plural } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import {
  type Columns,
  columnsByName,
  type ImportFile,
  InvalidFile,
  maxFileBytes,
  readImportFile,
} from '../../state/import-file.ts'
import { type Import, type ImportProgress, prepareImport } from '../../state/import-pets.ts'
import { ColumnFields, ImportPreview, missingColumn } from './import-preview.tsx'
import { ImportResult } from './import-result.tsx'

const nothingDone: ImportProgress = { done: 0, added: 0, rejects: [] }

/** Adds the animals of a file that the user chooses. */
export function ImportAnimals({ onClose }: { onClose: () => void }): VNode {
  const [file, setFile] = useState<ImportFile>()
  const [columns, setColumns] = useState<Columns>({})
  const [isChecked, setChecked] = useState(false)
  const [started, setStarted] = useState<Import>()
  const [progress, setProgress] = useState(nothingDone)
  const [isAsking, setAsking] = useState(false)
  const stop = useRef<AbortController>(undefined)
  const count = file?.count ?? 0
  const isFinished = started !== undefined && progress.done === count
  const isUnfinished = started !== undefined && !isFinished
  useEffect(() => () => stop.current?.abort(), [])
  useEffect(() => {
    if (!isUnfinished) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnfinished])

  const opening = useAction(async (chosen: File) => {
    setFile(undefined)
    setChecked(false)
    if (chosen.size > maxFileBytes) throw new InvalidFile('The file is larger than 50 MB. Divide it into smaller ones.')
    const read = readImportFile(chosen.name, await chosen.arrayBuffer())
    setColumns(columnsByName(read))
    setFile(read)
  })
  const importing = useAction(async () => {
    if (file === undefined) return document.getElementById('import-file')?.focus()
    const missing = missingColumn(file, columns)
    setChecked(true)
    if (missing !== undefined) return document.getElementById(`import-${missing}`)?.focus()
    // Kept for a retry: the same import adds nothing twice.
    const run = started ?? prepareImport(service().pets, file, columns)
    setStarted(run)
    stop.current = new AbortController()
    await run.run(setProgress, stop.current.signal)
  })
  const close = () => (isUnfinished ? setAsking(true) : onClose())

  return (
    <Dialog label="Import animals" className="confirm import" onClose={close}>
      <h2>Import animals</h2>
      {isFinished ? (
        <ImportResult progress={progress} onClose={onClose} />
      ) : (
        <form
          class="order-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void importing.run()
          }}
        >
          <Field
            id="import-file"
            label="File"
            hint="CSV with commas or semicolons, or NDJSON, in UTF-8."
            fault={undefined}
            control={(tied) => (
              <input
                {...tied}
                type="file"
                accept=".csv,.txt,.ndjson,.jsonl,text/csv"
                disabled={started !== undefined}
                onClick={(event) => opening.isRunning && event.preventDefault()}
                onChange={({ currentTarget: { files } }) => {
                  const chosen = files?.[0]
                  if (chosen !== undefined) void opening.run(chosen)
                }}
              />
            )}
          />
          <ErrorNotice error={opening.error} />
          {file?.format === 'csv' && started === undefined && (
            <ColumnFields file={file} columns={columns} isChecked={isChecked} onChange={setColumns} />
          )}
          {file !== undefined && started === undefined && <ImportPreview file={file} columns={columns} />}
          {isUnfinished && <progress max={count} value={progress.done} aria-label="Progress" />}
          <p role="status" class="note">
            {isUnfinished && `${formatCount(progress.done)} of ${plural(count, 'row', 'rows')}`}
          </p>
          {importing.error !== undefined && (
            <>
              <ErrorNotice error={importing.error} />
              <p class="note">Try again to add the others: nothing is added twice.</p>
            </>
          )}
          <div class="actions">
            <button type="button" class="button" onClick={close}>
              Cancel
            </button>
            <Button className="button primary" isDisabled={importing.isRunning}>
              {importing.error !== undefined
                ? 'Try again'
                : file === undefined
                  ? 'Import'
                  : `Import ${plural(count, 'animal', 'animals')}`}
            </Button>
          </div>
        </form>
      )}
      {isAsking && (
        <Confirm
          title="Stop the import?"
          action="Stop the import"
          cancelText="Go on"
          isDangerous
          obsolete={isFinished ? 'The import is complete.' : undefined}
          act={async () => onClose()}
          onClose={() => setAsking(false)}
        >
          Animals that were added stay: at least {formatCount(progress.added)}. If you import the same file again later,
          they are added a second time.
        </Confirm>
      )}
    </Dialog>
  )
}
