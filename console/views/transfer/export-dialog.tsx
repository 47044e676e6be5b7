import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallOptions, ExportOrdersQuery } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { ChoiceButtons } from '../../components/choices.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { plural, shortName } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { useAction } from '../../state/action.ts'
import { saveFile } from '../../state/download.ts'
import { exportName, findFormulas, type Formulas, spreadsheetSeparator } from '../../state/export-file.ts'
import { notify } from '../../state/notices.ts'

/** How the file is written. */
type FileFormat = Pick<ExportOrdersQuery, 'format' | 'spreadsheet' | 'separator'>

interface ExportDialogProps {
  /** What is exported. */
  what: 'animals' | 'orders'
  /** Which of them, as a sentence. */
  scope: string
  /** The bytes of the file. */
  read: (format: FileFormat, options: CallOptions) => AsyncIterable<Uint8Array>
  /** The filters as words, for the name of the file. */
  filterWords: readonly string[]
  onClose: () => void
}

type Kind = 'spreadsheet' | 'csv' | 'ndjson'

const kinds: readonly { value: Kind; text: string }[] = [
  { value: 'spreadsheet', text: 'Spreadsheet' },
  { value: 'csv', text: 'CSV' },
  { value: 'ndjson', text: 'NDJSON' },
]
const hints: Record<ExportDialogProps['what'], Record<Kind, string>> = {
  animals: {
    spreadsheet: 'With the names of the categories, for Excel, LibreOffice or Numbers in your language.',
    csv: 'For programs: commas, UTF-8, categories by number.',
    ndjson: 'For programs: an animal on each line.',
  },
  orders: {
    spreadsheet: 'For Excel, LibreOffice or Numbers in your language.',
    csv: 'For programs: commas, UTF-8.',
    ndjson: 'For programs: an order on each line.',
  },
}

/** Saves a list as a file. */
export function ExportDialog({ what, scope, read, filterWords, onClose }: ExportDialogProps): VNode {
  const [kind, setKind] = useState<Kind>('spreadsheet')
  const [bytes, setBytes] = useState(0)
  const [risky, setRisky] = useState<{ file: Blob; formulas: Formulas }>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const { run, isRunning, error } = useAction(async () => {
    stop.current = new AbortController()
    const { signal } = stop.current
    const parts: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    for await (const part of read(formatOf(kind), { signal })) {
      parts.push(part as Uint8Array<ArrayBuffer>)
      setBytes((size += part.length))
    }
    const file = new Blob(parts)
    const formulas = kind === 'spreadsheet' ? await findFormulas(file, spreadsheetSeparator()) : undefined
    if (signal.aborted) return
    if (formulas === undefined) save(file)
    else setRisky({ file, formulas })
  })
  function save(file: Blob): void {
    const name = exportName(what, filterWords, kind === 'ndjson' ? 'ndjson' : 'csv')
    saveFile(name, file)
    notify(`${name} was saved`)
    onClose()
  }
  return (
    <Dialog label={`Export ${what}`} className="confirm" onClose={onClose}>
      <h2>Export {what}</h2>
      <p>{scope}</p>
      {risky === undefined ? (
        <ChoiceButtons
          name="export-format"
          label="Format"
          choices={kinds}
          chosen={kind}
          isDisabled={isRunning}
          hint={hints[what][kind]}
          onChoose={setKind}
        />
      ) : (
        <FormulaWarning {...risky.formulas} />
      )}
      <p role="status" class="note">
        {isRunning && `${(bytes / 1_000_000).toFixed(1)} MB so far`}
      </p>
      <ErrorNotice error={error} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        {risky === undefined ? (
          <Button className="button primary" isDisabled={isRunning} onClick={() => run()}>
            Export
          </Button>
        ) : (
          <button type="button" class="button primary" onClick={() => save(risky.file)}>
            Save anyway
          </button>
        )}
      </div>
    </Dialog>
  )
}

function formatOf(kind: Kind): FileFormat {
  if (kind !== 'spreadsheet') return { format: kind }
  return { format: 'csv', spreadsheet: true, separator: spreadsheetSeparator() }
}

function FormulaWarning({ count, example }: Formulas): VNode {
  return (
    <div class="error-notice" role="alert">
      <Icon name="warning" />
      <p>
        {plural(count, 'cell looks', 'cells look')} like a formula, which a spreadsheet would run, such as “
        <bdi>{shortName(example)}</bdi>”. Import the file as text, or open it only if you know where the texts are from.
      </p>
    </div>
  )
}
