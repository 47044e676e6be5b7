import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../../components/field.tsx'
import { useSignedIn } from '../../state/session.ts'

interface KeyNameOptions {
  /** What the field starts with. */
  name?: string
  hint: string
}

interface KeyName {
  name: string
  field: (isDisabled: boolean) => VNode
  /** Whether the name is valid. Otherwise the field says why, and has the focus. */
  check: () => boolean
}

/** The field for the name of a key. */
export function useKeyName({ name: former = '', hint }: KeyNameOptions): KeyName {
  const { rules } = useSignedIn()
  const [name, setName] = useState(former)
  const [fault, setFault] = useState<string>()
  return {
    name,
    check() {
      const wrong = rules.keyName(name)
      setFault(wrong)
      if (wrong !== undefined) document.getElementById('key-name')?.focus()
      return wrong === undefined
    },
    field: (isDisabled) => (
      <Field
        id="key-name"
        label="Who is it for?"
        hint={hint}
        fault={fault}
        control={(tied) => (
          <input
            {...tied}
            dir="auto"
            autocomplete="off"
            readonly={isDisabled}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      />
    ),
  }
}
