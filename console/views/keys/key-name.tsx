import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../../components/field.tsx'
import type { Form } from '../../state/form.ts'
import { useSignedIn } from '../../state/session.ts'

interface KeyNameOptions {
  form: Form<{ name: string }>
  hint: string
}

interface KeyName {
  field: (isDisabled: boolean) => VNode
  /** Whether the name is valid. Otherwise the field says why, and has the focus. */
  check: () => boolean
}

/** The field for the name of a key. */
export function useKeyName({ form, hint }: KeyNameOptions): KeyName {
  const { rules } = useSignedIn()
  const { name } = form.values
  const [fault, setFault] = useState<string>()
  return {
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
            onInput={({ currentTarget }) => form.set({ name: currentTarget.value })}
          />
        )}
      />
    ),
  }
}
