import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ExportPetsQuery } from '../../../client/src/index.ts'
import { service } from '../../api/service.ts'
import { Button } from '../../components/button.tsx'
import { ChoiceButtons } from '../../components/choices.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useAction } from '../../state/action.ts'
import { saveFile } from '../../state/download.ts'
import { notify } from '../../state/notices.ts'

interface ExportAnimalsProps {
  filter: ExportPetsQuery
  /** Which animals, as a sentence. */
  text: string
  onClose: () => void
}

const formats = [
  { value: 'csv' as const, text: 'CSV' },
  { value: 'ndjson' as const, text: 'NDJSON' },
]

/** Saves the animals of the list as a file. */
export function ExportAnimals({ filter, text, onClose }: ExportAnimalsProps): VNode {
  const [format, setFormat] = useState<'csv' | 'ndjson'>('csv')
  const [bytes, setBytes] = useState(0)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const { run, isRunning, error } = useAction(async () => {
    stop.current = new AbortController()
    const { signal } = stop.current
    const parts: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    for await (const part of service().pets.export({ ...filter, format }, { signal })) {
      parts.push(part as Uint8Array<ArrayBuffer>)
      setBytes((size += part.length))
    }
    saveFile(`pets.${format}`, new Blob(parts))
    notify(`pets.${format} was saved`)
    onClose()
  })
  return (
    <Dialog label="Export animals" className="confirm" onClose={onClose}>
      <h2>Export animals</h2>
      <p>{text}</p>
      <ChoiceButtons
        name="export-format"
        label="Format"
        choices={formats}
        chosen={format}
        isDisabled={isRunning}
        hint={
          format === 'csv' ? 'For spreadsheets: import it as text, in UTF-8.' : 'For programs: an animal on each line.'
        }
        onChoose={setFormat}
      />
      <p role="status" class="note">
        {isRunning && `${(bytes / 1_000_000).toFixed(1)} MB so far`}
      </p>
      <ErrorNotice error={error} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <Button className="button primary" isDisabled={isRunning} onClick={() => run()}>
          Export
        </Button>
      </div>
    </Dialog>
  )
}
