import type { VNode } from 'preact'
import { shortCountFormat } from './format.ts'

export interface Choice<Value> {
  value: Value
  text: string
  /** How many there are, if it is known; a text if not all were counted. */
  count?: number | string | undefined
}

interface ChoiceLinksProps {
  label: string
  choices: readonly Choice<string | undefined>[]
  chosen: string | undefined
  hrefOf: (value: string | undefined) => string
}

/** A choice of a few, as links, so that each has an address. */
export function ChoiceLinks({ label, choices, chosen, hrefOf }: ChoiceLinksProps): VNode {
  const format = shortCountFormat(choices.flatMap(({ count }) => (typeof count === 'number' ? count : [])))
  return (
    <nav class="choices" aria-label={label}>
      {choices.map(({ value, text, count }) => (
        <a key={text} href={hrefOf(value)} aria-current={value === chosen ? 'true' : undefined}>
          {text}
          {count !== undefined && <span class="count"> {typeof count === 'string' ? count : format(count)}</span>}
        </a>
      ))}
    </nav>
  )
}

interface ChoiceButtonsProps<Value> {
  name: string
  label: string
  choices: readonly Choice<Value>[]
  chosen: Value
  isDisabled: boolean
  hint: string
  onChoose: (value: Value) => void
}

/** A choice of a few in a form. */
export function ChoiceButtons<Value>(props: ChoiceButtonsProps<Value>): VNode {
  const { name, label, choices, chosen, isDisabled, hint, onChoose } = props
  return (
    <fieldset class="field choice-field" disabled={isDisabled} aria-describedby={`${name}-note`}>
      <legend>{label}</legend>
      <div class="choices">
        {choices.map(({ value, text }) => (
          <label key={text}>
            <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
      <p class="note" id={`${name}-note`}>
        {hint}
      </p>
    </fieldset>
  )
}
