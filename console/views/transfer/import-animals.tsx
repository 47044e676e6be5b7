import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { service } from '../../api/service.ts'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { formatCount, plural } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import type { ImportPlan } from '../../state/import/chunks.ts'
import type { Encoding } from '../../state/import/decode.ts'
import { type ImportFile, openImportFile } from '../../state/import/file.ts'
import type { HeaderPlace } from '../../state/import/records.ts'
import { guessMapping, type Mapping } from '../../state/import/rows.ts'
import { type Import, type ImportProgress, prepareImport } from '../../state/import/run.ts'
import { useStepHistory } from '../../state/step-history.ts'
import { useCheck } from '../../state/import/use-check.ts'
import { ImportActions } from './import-actions.tsx'
import { ImportCheck, maxNewCategories } from './import-check.tsx'
import { ImportFileStep } from './import-file-step.tsx'
import { CategoryField, ColumnFields, missingField, StatusFields } from './import-match.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportResult } from './import-result.tsx'
import { type ImportStep, StepHead, stepsOf } from './import-steps.tsx'

const nothingDone: ImportProgress = { done: 0, added: 0, rejected: 0 }
const noMapping: Mapping = { columns: {}, statuses: new Map() }

/** Adds the animals of a file that the user chooses, after a check that says what would happen. */
export function ImportAnimals({ onClose }: { onClose: () => void }): VNode {
  const [file, setFile] = useState<ImportFile>()
  const [readShare, setReadShare] = useState(0)
  const [mapping, setMapping] = useState(noMapping)
  const steps = useStepHistory<ImportStep>('file')
  const [isChecked, setChecked] = useState(false)
  const [newCategories, setNewCategories] = useState<readonly string[]>([])
  const [isCreateWanted, setCreateWanted] = useState(true)
  const [started, setStarted] = useState<Import>()
  const [progress, setProgress] = useState(nothingDone)
  const [isStopped, setStopped] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  const step = started === undefined ? openStep(steps.step, file, mapping) : 'check'
  // Their names are asked for even if none of them is wanted: the choice shows them.
  const createCategories = newCategories.length === 0 || (isCreateWanted && newCategories.length <= maxNewCategories)
  const isChecking = file !== undefined && step === 'check' && started === undefined
  const plan = useMemo<ImportPlan | undefined>(
    () => (isChecking ? { file, mapping, createCategories } : undefined),
    [isChecking, file, mapping, createCategories],
  )
  const check = useCheck(plan)
  const ready = check.result?.ready
  const found = check.result?.newCategories ?? []
  // A check that creates none does not name them.
  useEffect(() => {
    if (found.length > 0) setNewCategories(found)
  }, [check.result])

  const opening = useAction(
    async ({ chosen, ...reading }: { chosen: Blob; encoding?: Encoding; above?: HeaderPlace }) => {
      const name = chosen instanceof File ? chosen.name : (file?.name ?? '')
      const isNew = chosen !== file?.blob
      const isGuessed = reading.encoding !== undefined || (!isNew && file.isEncodingGuessed)
      const known = isNew ? {} : { encoding: file.encoding, above: file.above, isGuessed }
      if (isNew) setFile(undefined)
      setChecked(false)
      setReadShare(0)
      const { signal } = stop.current
      const read = await openImportFile(chosen, name, { ...known, ...reading, onProgress: setReadShare, signal })
      if (isNew || reading.above !== undefined) setMapping(guessMapping(read))
      setNewCategories([])
      setFile(read)
    },
  )
  const importing = useAction(async () => {
    if (file === undefined) return document.getElementById('import-file')?.focus()
    const missing = missingField(file, mapping)
    setChecked(step === 'columns')
    if (step === 'columns' && missing !== undefined) return document.getElementById(`import-${missing}`)?.focus()
    if (step !== 'check') return steps.goTo(stepsOf(file)[stepsOf(file).indexOf(step) + 1] ?? 'check')
    // Kept for a retry: the same import adds nothing twice.
    const run = started ?? (plan === undefined ? undefined : prepareImport(service().pets, plan))
    if (run === undefined || (started === undefined && !ready)) return
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
  function leave(): void {
    steps.leave()
    onClose()
  }
  const close = () => (isUnfinished ? setAsking(true) : leave())
  function stopImport(): void {
    started?.stop()
    setStopped(true)
  }
  function changeMapping(next: Mapping): void {
    if (next.columns !== mapping.columns) setNewCategories([])
    setMapping(next)
  }

  return (
    <Dialog label="Import animals" className="confirm import" onClose={close}>
      <h2>Import animals</h2>
      {isFinished ? (
        <ImportResult started={started} progress={progress} count={count} onClose={leave} />
      ) : (
        <form
          class="order-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void importing.run()
          }}
        >
          {started === undefined && <StepHead step={step} file={file} />}
          {started === undefined && (
            <ImportFileStep
              isShown={step === 'file'}
              file={file}
              isReading={opening.isRunning}
              readShare={readShare}
              error={opening.error}
              onFile={(chosen) => void opening.run({ chosen })}
              onEncoding={(encoding) => file !== undefined && void opening.run({ chosen: file.blob, encoding })}
              onHeader={(above) => file !== undefined && void opening.run({ chosen: file.blob, above })}
            />
          )}
          {file !== undefined && step === 'columns' && (
            <>
              <ColumnFields file={file} mapping={mapping} isChecked={isChecked} onChange={changeMapping} />
              <CategoryField file={file} mapping={mapping} isChecked={isChecked} onChange={changeMapping} />
              <StatusFields file={file} mapping={mapping} onChange={changeMapping} />
            </>
          )}
          {file !== undefined && started === undefined && (
            <>
              {plan !== undefined && (
                <ImportCheck
                  check={check}
                  count={count}
                  newCategories={newCategories}
                  createCategories={createCategories}
                  onCreateCategories={setCreateWanted}
                />
              )}
              <ImportPreview file={file} mapping={mapping} />
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
          <ImportActions
            next={importing.error !== undefined ? 'Try again' : step === 'check' ? importText(ready) : 'Next'}
            isNextDisabled={
              importing.isRunning || opening.isRunning || (plan !== undefined && !ready && started === undefined)
            }
            stop={isUnfinished && importing.isRunning ? stopImport : undefined}
            isStopped={isStopped}
            onCancel={close}
            onBack={started === undefined && step !== 'file' ? steps.goBack : undefined}
          />
        </form>
      )}
      {isAsking && (
        <Confirm
          title="Stop the import?"
          action="Stop the import"
          cancelText="Go on"
          isDangerous
          obsolete={isFinished ? 'The import is complete.' : undefined}
          act={async () => leave()}
          onClose={() => setAsking(false)}
        >
          Animals that were added stay: at least {formatCount(progress.added)}. If you import the same file again later,
          they are added a second time.
        </Confirm>
      )}
    </Dialog>
  )
}

/** The step that can be shown: the browser's Forward may ask for one whose choices are not made any more. */
function openStep(step: ImportStep, file: ImportFile | undefined, mapping: Mapping): ImportStep {
  if (file === undefined) return 'file'
  return step === 'check' && missingField(file, mapping) !== undefined ? 'columns' : step
}

function importText(ready: number | undefined): string {
  return ready === undefined ? 'Import' : `Import ${plural(ready, 'animal', 'animals')}`
}
