import type { VNode } from 'preact'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { formatShare, plural, shortName } from '../../components/format.ts'
import type { Encoding } from '../../state/import/decode.ts'
import type { ImportFile } from '../../state/import/file.ts'
import type { HeaderPlace } from '../../state/import/records.ts'
import { EncodingField } from './import-match.tsx'

interface ImportFileStepProps {
  /** It stays while it is not shown: the browser would forget the chosen file. */
  isShown: boolean
  file: ImportFile | undefined
  isReading: boolean
  readShare: number
  error: unknown
  onFile: (chosen: File) => void
  onEncoding: (encoding: Encoding) => void
  onHeader: (above: HeaderPlace) => void
}

/** The first step: the file, and how to read it. */
export function ImportFileStep(props: ImportFileStepProps): VNode {
  const { isShown, file, isReading, readShare, error, onFile, onEncoding, onHeader } = props
  return (
    <div class="import-file" hidden={!isShown}>
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
            onClick={(event) => isReading && event.preventDefault()}
            onChange={({ currentTarget: { files } }) => {
              const chosen = files?.[0]
              if (chosen !== undefined) onFile(chosen)
            }}
          />
        )}
      />
      {isReading && <p class="note">Reading the file: {formatShare(readShare, 1)}</p>}
      <ErrorNotice error={error} />
      {file !== undefined && (
        <>
          <p>
            <bdi>{shortName(file.name)}</bdi>: {plural(file.count, 'row', 'rows')}
          </p>
          {file.isEncodingGuessed && <EncodingField file={file} onChange={onEncoding} />}
          {file.format === 'csv' && <HeaderField file={file} onChange={onHeader} />}
        </>
      )}
    </div>
  )
}

const none = 'none'

/** Chooses the line with the names of the columns: titles and dates are often above it. */
function HeaderField({ file, onChange }: { file: ImportFile; onChange: (above: HeaderPlace) => void }): VNode {
  return (
    <Field
      id="import-header"
      label="Line with the names of the columns"
      hint={file.above === 'none' ? 'The first line is an animal.' : 'Lines above it are left out.'}
      fault={undefined}
      control={(tied) => (
        <select {...tied} onChange={({ currentTarget: { value } }) => onChange(value === none ? none : Number(value))}>
          <option value={none} selected={file.above === none}>
            No such line
          </option>
          {file.headerChoices.map(({ line, fields, original, fault }, at) => (
            <option key={at} value={at} selected={at === file.above}>
              Line {line}:{' '}
              {shortName(fault === undefined ? fields.filter((field) => field.trim() !== '').join(' · ') : original)}
            </option>
          ))}
        </select>
      )}
    />
  )
}
