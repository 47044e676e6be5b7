import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Tied } from './field.tsx'

export interface ComboboxOption {
  key: string
  text: ComponentChildren
  /** Said quietly at the end of the line. */
  note?: string | undefined
}

interface ComboboxProps {
  tied: Tied
  /** Names the list. */
  label: string
  text: string
  placeholder?: string | undefined
  options: readonly ComboboxOption[]
  /** The option that Enter chooses if none is active. Otherwise Enter closes the list, which may hide a message. */
  enterKey?: string | undefined
  /** Said while the options are being found. */
  progress: string
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  onType: (text: string) => void
  onChoose: (key: string) => void
  onLeave?: (() => void) | undefined
  isReadOnly?: boolean
}

/** A text field with a list to choose from: the combobox of the ARIA patterns, with manual selection. */
export function Combobox(props: ComboboxProps): VNode {
  const { tied, label, text, placeholder, options, progress, isOpen, setOpen, onType, onChoose, onLeave } = props
  const { isReadOnly = false, enterKey } = props
  const [active, setActive] = useState<string>()
  const position = options.findIndex(({ key }) => key === active)
  const isShown = isOpen && options.length > 0
  const optionId = (index: number): string => `${tied.id}-option-${index}`
  useEffect(() => {
    if (isShown && position !== -1) scrollInList(document.getElementById(optionId(position)))
  }, [isShown, position])

  function close(): void {
    setOpen(false)
    setActive(undefined)
  }
  function choose(key: string): void {
    close()
    onChoose(key)
  }
  /** From the last option on to none, then to the first one; and back. */
  function move(step: 1 | -1): void {
    if (!isShown) return setOpen(true)
    const choiceCount = options.length + 1
    setActive(options[((position + 1 + step + choiceCount) % choiceCount) - 1]?.key)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === 'Enter' && isShown) {
      const chosen = position === -1 ? enterKey : active
      // Without an option, the form is sent.
      if (chosen === undefined) return close()
      choose(chosen)
    } else if (event.key === 'Escape' && isShown) close()
    else return
    // Enter would send the form, and Escape close the dialog around it.
    event.preventDefault()
  }

  return (
    <div class="combobox">
      <input
        {...tied}
        role="combobox"
        aria-expanded={isShown ? 'true' : 'false'}
        aria-autocomplete="list"
        aria-controls={isShown ? `${tied.id}-list` : undefined}
        aria-activedescendant={isShown && position !== -1 ? optionId(position) : undefined}
        autocomplete="off"
        dir="auto"
        placeholder={placeholder}
        readonly={isReadOnly}
        value={text}
        onInput={({ currentTarget }) => {
          setActive(undefined)
          setOpen(true)
          onType(currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onClick={() => setOpen(true)}
        onBlur={() => {
          close()
          onLeave?.()
        }}
      />
      {isShown && (
        <ul
          id={`${tied.id}-list`}
          role="listbox"
          aria-label={label}
          // A list that scrolls would be the next stop of Tab, and closes as soon as the field is left.
          tabindex={-1}
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.map(({ key, text: shown, note }, index) => (
            <li
              key={key}
              id={optionId(index)}
              role="option"
              aria-selected={index === position ? 'true' : 'false'}
              onClick={() => choose(key)}
            >
              <span dir="auto">{shown}</span> {note !== undefined && <span class="quiet">{note}</span>}
            </li>
          ))}
        </ul>
      )}
      <p class={isShown ? 'visually-hidden' : 'progress'} role="status">
        {isOpen && progress}
      </p>
    </div>
  )
}

/** Scrolls the list alone: a dialog around it stays where it is. */
function scrollInList(option: HTMLElement | null): void {
  const list = option?.parentElement
  if (option == null || list == null) return
  const end = option.offsetTop + option.offsetHeight - list.clientHeight
  list.scrollTop = Math.max(end, Math.min(list.scrollTop, option.offsetTop))
}
