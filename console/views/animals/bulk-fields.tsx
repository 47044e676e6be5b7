import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { toInt64 } from '../../api/int64.ts'
import { CategoryBox } from '../../components/category-box.tsx'
import { ChoiceButtons } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { statusText } from '../../components/status.tsx'
import type { BulkChange } from '../../state/bulk.ts'
import { matchCategory } from '../../state/categories.ts'
import { petStatuses, type StatusOrNone } from '../../state/statuses.ts'

export type BulkKind = 'status' | 'category' | 'delete'

export const bulkActions = { status: 'Change status', category: 'Change category', delete: 'Delete for good' }
export const bulkVerbs = { status: 'changed', category: 'changed', delete: 'deleted' }

const choices = [...petStatuses, 'none' as const].map((value) => ({ value, text: statusText[value] }))

interface BulkFields {
  fields: ComponentChildren
  /** What was asked for; undefined, with the focus on the fault, if it is not valid. */
  changeOf: () => BulkChange | undefined
}

/** The fields of a change of many animals, or what a deletion means. */
export function useBulkFields(kind: BulkKind, isDisabled: boolean): BulkFields {
  const [status, setStatus] = useState<StatusOrNone>('available')
  const [category, setCategory] = useState('')
  const [fault, setFault] = useState<string>()

  function changeOf(): BulkChange | undefined {
    if (kind === 'delete') return 'delete'
    if (kind === 'status') return { status: status === 'none' ? null : status }
    const meant = matchCategory(category)
    setFault(meant.fault)
    if (meant.id !== undefined) return { categoryId: toInt64(meant.id) }
    document.getElementById('bulk-category')?.focus()
    return undefined
  }
  function onText(text: string): void {
    setCategory(text)
    setFault(undefined)
  }
  const fields = {
    status: (
      <ChoiceButtons
        name="bulk-status"
        label="New status"
        choices={choices}
        chosen={status}
        isDisabled={isDisabled}
        hint="An animal with an open order keeps its status."
        onChoose={setStatus}
      />
    ),
    category: (
      <Field
        id="bulk-category"
        label="New category"
        fault={fault}
        control={(tied) => <CategoryBox tied={tied} text={category} canCreate onText={onText} />}
      />
    ),
    delete: <p>This is for good: a number is never given again. An animal with an open order stays.</p>,
  }
  return { fields: fields[kind], changeOf }
}
