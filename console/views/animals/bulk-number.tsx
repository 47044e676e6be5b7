import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../../components/field.tsx'
import { formatCount, shortName } from '../../components/format.ts'

/** More are deleted only after their number was typed. */
const maxUntyped = 50
const maxNames = 5

interface TypedNumber {
  /** Nothing if no number is asked for. */
  field: VNode | null
  /** Otherwise says so at the field, and leads there. */
  isGiven: () => boolean
}

/** Asks for the number of animals that will be deleted: a click alone must not delete many. */
export function useTypedNumber(count: number): TypedNumber {
  const [typed, setTyped] = useState('')
  const [isChecked, setChecked] = useState(false)
  if (count <= maxUntyped) return { field: null, isGiven: () => true }
  // With or without the signs between the thousands.
  const isRight = typed.replace(/[\s.,'’\u202f\u00a0]/g, '') === String(count)
  const field = (
    <Field
      id="bulk-number"
      label={`Type ${formatCount(count)} to delete them`}
      fault={isChecked && !isRight ? `Type the number ${formatCount(count)}.` : undefined}
      control={(tied) => (
        <input
          {...tied}
          inputmode="numeric"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
    />
  )
  function isGiven(): boolean {
    setChecked(true)
    if (!isRight) document.getElementById('bulk-number')?.focus()
    return isRight
  }
  return { field, isGiven }
}

/** Who will be changed: the first names. */
export function FirstNames({ names, count }: { names: readonly string[]; count: number }): VNode | null {
  const shown = names.slice(0, maxNames)
  if (shown.length === 0) return null
  return (
    <p>
      {shown.map((name, at) => (
        <>
          {at > 0 && ', '}
          <bdi key={at}>{shortName(name)}</bdi>
        </>
      ))}
      {count > shown.length && ' and others'}
    </p>
  )
}
