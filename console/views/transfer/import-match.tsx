import type { VNode } from 'preact'
import { CategoryBox } from '../../components/category-box.tsx'
import { Field } from '../../components/field.tsx'
import { plural, shortName } from '../../components/format.ts'
import { statusText } from '../../components/status.tsx'
import { matchCategory } from '../../state/categories.ts'
import { type Encoding, encodings } from '../../state/import/decode.ts'
import { type ImportField, importFields } from '../../state/import/guess.ts'
import type { ImportFile } from '../../state/import/file.ts'
import { columnName } from '../../state/import/records.ts'
import { type Mapping, statusWords } from '../../state/import/rows.ts'
import { type StatusOrNone, statusesOrNone } from '../../state/statuses.ts'

export const fieldLabels: Record<ImportField, string> = {
  name: 'Name',
  categoryName: 'Category name',
  categoryId: 'Category number',
  status: 'Status',
}
const nameFault = 'Choose the column with the names.'
const categoryFault = 'Choose a column for the category above, or one category for all animals.'

/** The first field of a CSV file that has neither a column nor one value for all animals. */
export function missingField({ format }: ImportFile, { columns, category }: Mapping): 'name' | 'category' | undefined {
  if (format === 'ndjson') return undefined
  if (columns.name === undefined) return 'name'
  return hasCategoryColumn(columns) || category?.id !== undefined ? undefined : 'category'
}

function hasCategoryColumn({ categoryName, categoryId }: Mapping['columns']): boolean {
  return categoryName !== undefined || categoryId !== undefined
}

/** Chooses how to read the letters of a file whose encoding is not known. */
export function EncodingField({ file, onChange }: { file: ImportFile; onChange: (encoding: Encoding) => void }): VNode {
  return (
    <Field
      id="import-encoding"
      label="Encoding"
      hint="The file is not in UTF-8. Choose the one with which the names below look right."
      fault={undefined}
      control={(tied) => (
        <select {...tied} onChange={({ currentTarget }) => onChange(currentTarget.value as Encoding)}>
          {(Object.entries(encodings) as [Encoding, string][])
            .filter(([value]) => !value.startsWith('utf'))
            .map(([value, text]) => (
              <option key={value} value={value} selected={value === file.encoding}>
                {text}
              </option>
            ))}
        </select>
      )}
    />
  )
}

/** Chooses one category for all animals of a file that has no column for it. */
export function CategoryField({
  file,
  mapping,
  isChecked,
  onChange,
}: MatchProps & { isChecked: boolean }): VNode | null {
  const { columns, category } = mapping
  if (hasCategoryColumn(columns)) return null
  const text = category?.text ?? ''
  const match = matchCategory(text)
  const isMissing = category?.id === undefined
  const fault = isMissing && text !== '' ? match.fault : missingField(file, mapping) && categoryFault
  return (
    <Field
      id="import-category"
      label="One category for all animals"
      hint="The file has no column for the category."
      fault={isChecked && isMissing ? fault : undefined}
      control={(tied) => (
        <CategoryBox
          tied={tied}
          text={text}
          canCreate
          onText={(text, id) => onChange({ ...mapping, category: { text, id: id ?? matchCategory(text).id } })}
        />
      )}
    />
  )
}

interface MatchProps {
  file: ImportFile
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

/** Chooses the column of each field. `isChecked`: reports the fields that need a column. */
export function ColumnFields({ file, mapping, isChecked, onChange }: MatchProps & { isChecked: boolean }): VNode {
  const { columns } = mapping
  const missing = isChecked ? missingField(file, mapping) : undefined
  const isNoStatus = statusWords(file, mapping) === undefined
  function choose(field: ImportField, value: string): void {
    const { [field]: _before, ...others } = columns
    onChange({ ...mapping, columns: value === '' ? others : { ...others, [field]: Number(value) } })
  }
  function faultOf(field: ImportField): string | undefined {
    if (field === 'status' && isNoStatus) return 'This column has too many different texts for a status.'
    return field === 'name' && missing === 'name' ? nameFault : undefined
  }
  return (
    <div class="columns">
      {importFields.map((field) => (
        <Field
          key={field}
          id={`import-${field}`}
          label={fieldLabels[field]}
          fault={faultOf(field)}
          control={(tied) => (
            <select {...tied} onChange={({ currentTarget }) => choose(field, currentTarget.value)}>
              <option value="" selected={columns[field] === undefined}>
                {field === 'name' ? 'Choose a column' : 'No column'}
              </option>
              {file.header.map((name, at) => (
                <option key={at} value={at} selected={columns[field] === at}>
                  {file.above === 'none' ? withFirstValues(file, at) : shortName(name === '' ? columnName(at) : name)}
                </option>
              ))}
            </select>
          )}
        />
      ))}
    </div>
  )
}

/** A column without a name is known by its values. */
function withFirstValues({ samples }: ImportFile, at: number): string {
  const values = samples.map(({ fields }) => fields[at]?.trim() ?? '').filter((value) => value !== '')
  const shown = values.slice(0, 2).map(shortName).join(', ')
  return shown === '' ? columnName(at) : `${columnName(at)}: ${shown}`
}

/** Chooses the status that each word of the file stands for. Nothing if the service knows all of them. */
export function StatusFields({ file, mapping, onChange }: MatchProps): VNode | null {
  const words = statusWords(file, mapping) ?? []
  if (words.length === 0) return null
  const choose = (word: string, value: string) =>
    onChange({ ...mapping, statuses: new Map([...mapping.statuses, [word, value as StatusOrNone]]) })
  return (
    <fieldset class="field status-words">
      <legend>Statuses in the file</legend>
      <div class="columns">
        {words.map(({ word, count, status }, at) => (
          <Field
            key={word}
            id={`import-status-${at}`}
            label={`“${shortName(word)}” (${plural(count, 'row', 'rows')})`}
            fault={undefined}
            control={(tied) => (
              <select {...tied} onChange={({ currentTarget }) => choose(word, currentTarget.value)}>
                {status === undefined && (
                  <option value="" selected>
                    Choose a status
                  </option>
                )}
                {statusesOrNone.map((value) => (
                  <option key={value} value={value} selected={value === status}>
                    {statusText[value]}
                  </option>
                ))}
              </select>
            )}
          />
        ))}
      </div>
    </fieldset>
  )
}
