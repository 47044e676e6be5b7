import type { VNode } from 'preact'
import { Field } from '../../components/field.tsx'
import { plural, shortName } from '../../components/format.ts'
import { type Columns, type ImportField, type ImportFile, importFields, previewRows } from '../../state/import-file.ts'

const labels: Record<ImportField, string> = { name: 'Name', categoryId: 'Category number', status: 'Status' }
const faults: Partial<Record<ImportField, string>> = {
  name: 'Choose the column with the names.',
  categoryId: 'Choose the column with the numbers of the categories.',
}
const previewCount = 5

/** The first field of a CSV file that needs a column and has none. */
export function missingColumn({ format }: ImportFile, columns: Columns): ImportField | undefined {
  if (format === 'ndjson') return undefined
  return importFields.find((field) => faults[field] !== undefined && columns[field] === undefined)
}

interface ColumnFieldsProps {
  file: ImportFile
  columns: Columns
  /** Whether to report the fields that need a column. */
  isChecked: boolean
  onChange: (columns: Columns) => void
}

/** Chooses the column of each field. */
export function ColumnFields({ file, columns, isChecked, onChange }: ColumnFieldsProps): VNode {
  function choose(field: ImportField, value: string): void {
    const { [field]: _before, ...others } = columns
    onChange(value === '' ? others : { ...others, [field]: Number(value) })
  }
  return (
    <div class="columns">
      {importFields.map((field) => (
        <Field
          key={field}
          id={`import-${field}`}
          label={labels[field]}
          fault={isChecked && columns[field] === undefined ? faults[field] : undefined}
          control={(tied) => (
            <select {...tied} onChange={({ currentTarget }) => choose(field, currentTarget.value)}>
              <option value="" selected={columns[field] === undefined}>
                {faults[field] === undefined ? 'No column' : 'Choose a column'}
              </option>
              {file.header.map((name, at) => (
                <option key={at} value={at} selected={columns[field] === at}>
                  {name === '' ? `Column ${at + 1}` : shortName(name)}
                </option>
              ))}
            </select>
          )}
        />
      ))}
    </div>
  )
}

/** The first animals as they will be added. */
export function ImportPreview({ file, columns }: { file: ImportFile; columns: Columns }): VNode {
  const rows = previewRows(file, columns, previewCount)
  const title =
    rows.length < file.count ? `The first ${rows.length} of ${plural(file.count, 'row', 'rows')}` : 'All rows'
  return (
    <div class="preview" role="region" aria-label="Preview" tabindex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            {importFields.map((field) => (
              <th key={field} scope="col">
                {labels[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.line}>
              <td>{row.line}</td>
              {'message' in row ? (
                <td colspan={importFields.length} class="fault">
                  {row.message}
                </td>
              ) : (
                row.values.map((value) => (
                  <td>
                    <bdi>{shortName(value)}</bdi>
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
