import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { service } from '../../api/service.ts'
import { Button } from '../../components/button.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { formatCount, formatShare, plural } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import type { ImportPlan } from '../../state/import/chunks.ts'
import type { Encoding } from '../../state/import/decode.ts'
import { type ImportFile, openImportFile } from '../../state/import/file.ts'
import { guessMapping, type Mapping } from '../../state/import/rows.ts'
import { type Import, type ImportProgress, prepareImport } from '../../state/import/run.ts'
import { useCheck } from '../../state/import/use-check.ts'
import { ImportCheck, maxNewCategories } from './import-check.tsx'
import { ColumnFields, EncodingField, missingField, StatusFields } from './import-match.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportResult } from './import-result.tsx'

const nothingDone: ImportProgress = { done: 0, added: 0, rejected: 0 }
const noMapping: Mapping = { columns: {}, statuses: new Map() }

/** Adds the animals of a file that the user chooses, after a check that says what would happen. */
export function ImportAnimals({ onClose }: { onClose: () => void }): VNode {
  const [file, setFile] = useState<ImportFile>()
  const [readShare, setReadShare] = useState(0)
  const [mapping, setMapping] = useState(noMapping)
  const [isChecked, setChecked] = useState(false)
  const [newCategories, setNewCategories] = useState<readonly string[]>([])
  const [isCreateWanted, setCreateWanted] = useState(true)
  const [started, setStarted] = useState<Import>()
  const [progress, setProgress] = useState(nothingDone)
  const [isStopped, setStopped] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  const createCategories = isCreateWanted && newCategories.length <= maxNewCategories
  const isReady = file !== undefined && started === undefined && missingField(file, mapping) === undefined
  const plan = useMemo<ImportPlan | undefined>(
    () => (isReady ? { file, mapping, createCategories } : undefined),
    [isReady, file, mapping, createCategories],
  )
  const check = useCheck(plan)
  const ready = check.result?.ready ?? 0
  const found = check.result?.newCategories ?? []
  // A check that creates none does not name them.
  useEffect(() => {
    if (found.length > 0) setNewCategories(found)
  }, [check.result])

  const opening = useAction(async ({ chosen, encoding }: { chosen: Blob; encoding?: Encoding }) => {
    const name = chosen instanceof File ? chosen.name : (file?.name ?? '')
    if (encoding === undefined) setFile(undefined)
    setChecked(false)
    setReadShare(0)
    const read = await openImportFile(chosen, name, { encoding, onProgress: setReadShare, signal: stop.current.signal })
    if (encoding === undefined) setMapping(guessMapping(read))
    setNewCategories([])
    setFile(read)
  })
  const importing = useAction(async () => {
    if (file === undefined) return document.getElementById('import-file')?.focus()
    const missing = missingField(file, mapping)
    setChecked(true)
    if (missing !== undefined) return document.getElementById(`import-${missing}`)?.focus()
    // Kept for a retry: the same import adds nothing twice.
    const run = started ?? (plan === undefined ? undefined : prepareImport(service().pets, plan))
    if (run === undefined || (started === undefined && ready === 0)) return
    setStarted(run)
    await run.run(setProgress, stop.current.signal)
  })

  const count = file?.count ?? 0
  const isFinished =
    started !== undefined &&
    !importing.isRunning &&
    (progress.done === count || (isStopped && importing.error === undefined))
  const isUnfinished = started !== undefined && !isFinished
  useEffect(() => {
    if (!isUnfinished) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnfinished])
  const close = () => (isUnfinished ? setAsking(true) : onClose())
  function changeMapping(next: Mapping): void {
    if (next.columns !== mapping.columns) setNewCategories([])
    setMapping(next)
  }

  return (
    <Dialog label="Import animals" className="confirm import" onClose={close}>
      <h2>Import animals</h2>
      {isFinished ? (
        <ImportResult started={started} progress={progress} count={count} onClose={onClose} />
      ) : (
        <form
          class="order-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void importing.run()
          }}
        >
          {started === undefined && (
            <Field
              id="import-file"
              label="File"
              hint="CSV with commas, semicolons or tabs, as spreadsheets save it, or NDJSON."
              fault={undefined}
              control={(tied) => (
                <input
                  {...tied}
                  type="file"
                  accept=".csv,.tsv,.tab,.txt,.ndjson,.jsonl,text/csv,text/tab-separated-values"
                  onClick={(event) => opening.isRunning && event.preventDefault()}
                  onChange={({ currentTarget: { files } }) => {
                    const chosen = files?.[0]
                    if (chosen !== undefined) void opening.run({ chosen })
                  }}
                />
              )}
            />
          )}
          {opening.isRunning && <p class="note">Reading the file: {formatShare(readShare, 1)}</p>}
          <ErrorNotice error={opening.error} />
          {file !== undefined && started === undefined && (
            <>
              {file.isEncodingGuessed && (
                <EncodingField file={file} onChange={(encoding) => void opening.run({ chosen: file.blob, encoding })} />
              )}
              {file.format === 'csv' && (
                <>
                  <ColumnFields file={file} mapping={mapping} isChecked={isChecked} onChange={changeMapping} />
                  <StatusFields file={file} mapping={mapping} onChange={changeMapping} />
                </>
              )}
              <ImportPreview file={file} mapping={mapping} />
              {plan !== undefined && (
                <ImportCheck
                  check={check}
                  count={count}
                  newCategories={newCategories}
                  createCategories={createCategories}
                  onCreateCategories={setCreateWanted}
                />
              )}
            </>
          )}
          {isUnfinished && <progress max={count} value={progress.done} aria-label="Progress" />}
          {isUnfinished && (
            <p role="status" class="note">
              {formatCount(progress.done)} of {plural(count, 'row', 'rows')}
            </p>
          )}
          {importing.error !== undefined && (
            <>
              <ErrorNotice error={importing.error} />
              <p class="note">Try again to add the others: nothing is added twice.</p>
            </>
          )}
          <div class="actions">
            {isUnfinished && importing.isRunning ? (
              <Button
                isDisabled={isStopped}
                onClick={() => {
                  started.stop()
                  setStopped(true)
                }}
              >
                Stop
              </Button>
            ) : (
              <button type="button" class="button" onClick={close}>
                Cancel
              </button>
            )}
            <Button
              className="button primary"
              isDisabled={importing.isRunning || (plan !== undefined && ready === 0 && started === undefined)}
            >
              {importing.error !== undefined ? 'Try again' : importText(check.result?.ready)}
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

function importText(ready: number | undefined): string {
  return ready === undefined ? 'Import' : `Import ${plural(ready, 'animal', 'animals')}`
}
