import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Combobox } from '../../components/combobox.tsx'
import type { Tied } from '../../components/field.tsx'
import { shortName } from '../../components/format.ts'
import { findCustomers, useSuggestions } from '../../state/suggestions.ts'

interface CustomerBoxProps {
  tied: Tied
  text: string
  isReadOnly: boolean
  onText: (text: string) => void
}

/** The customer of an order: any text, or one of an earlier order that matches what was typed. */
export function CustomerBox({ tied, text, isReadOnly, onText }: CustomerBoxProps): VNode {
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const { items } = useSuggestions(isTyped ? text : '', findCustomers)
  return (
    <Combobox
      tied={tied}
      label="Names of earlier orders"
      text={text}
      isReadOnly={isReadOnly}
      options={items.filter((name) => name !== text).map((name) => ({ key: name, text: shortName(name) }))}
      progress=""
      isOpen={isOpen && !isReadOnly}
      setOpen={setOpen}
      onType={(next) => {
        setTyped(true)
        onText(next)
      }}
      onChoose={(name) => {
        setTyped(false)
        onText(name)
      }}
    />
  )
}
