import type { VNode } from 'preact'
import { plural, shortName } from '../../components/format.ts'
import { statusText } from '../../components/status.tsx'
import { type ImportField, importFields } from '../../state/import/guess.ts'
import type { ImportFile } from '../../state/import/file.ts'
import { type Mapping, oneCategory, previewRows } from '../../state/import/rows.ts'
import { fieldLabels } from './import-match.tsx'

/** A few animals as they will be added. */
export function ImportPreview({ file, mapping }: { file: ImportFile; mapping: Mapping }): VNode {
  const rows = previewRows(file, mapping)
  const fields = importFields.filter((field) => isShown(field, file, mapping))
  return (
    <div class="preview" role="region" aria-label="Preview" tabindex={0}>
      <table>
        <caption>{titleOf(file, rows.length)}</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {fieldLabels[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.line}>
              <td>{row.line}</td>
              {'fault' in row ? (
                <td colspan={fields.length} class="fault">
                  {row.fault}
                </td>
              ) : (
                fields.map((field) => (
                  <td key={field}>
                    <bdi>{cellText(field, row.values[field])}</bdi>
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

function cellText(field: ImportField, text: string): string {
  if (text !== '') return shortName(text)
  return field === 'status' ? statusText.none : '—'
}

/** One column for the category is enough if the file has only one. */
function isShown(field: ImportField, { format }: ImportFile, mapping: Mapping): boolean {
  if (field !== 'categoryId' && field !== 'categoryName') return true
  if (format === 'ndjson' || mapping.columns[field] !== undefined) return true
  if (oneCategory(mapping) !== undefined) return field === 'categoryId'
  return field === 'categoryName' && mapping.columns.categoryId === undefined
}

function titleOf({ count, isEncodingGuessed }: ImportFile, shown: number): string {
  if (shown === count) return 'All rows'
  const rows = plural(count, 'row', 'rows')
  return isEncodingGuessed ? `Some of ${rows}, with special letters` : `The first ${shown} of ${rows}`
}
