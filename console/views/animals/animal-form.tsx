import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { NewPet } from '../../../client/src/index.ts'
import { faultsByField } from '../../api/error-text.ts'
import { isInt64, toInt64 } from '../../api/int64.ts'
import { Button } from '../../components/button.tsx'
import { CategoryBox } from '../../components/category-box.tsx'
import { ChoiceButtons } from '../../components/choices.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { statusText } from '../../components/status.tsx'
import { useAction } from '../../state/action.ts'
import { matchCategory, categoryText, useCategories, useCategoryNames } from '../../state/categories.ts'
import { dropDraft, setDraft, readDraft, useDraft } from '../../state/drafts.ts'
import { petStatuses } from '../../state/statuses.ts'
import { useSignedIn } from '../../state/session.ts'
import { UnsavedDraft } from '../../components/unsaved-draft.tsx'
import { draftAfter, type PetDraft } from './pet-draft.ts'
import { forgetUnsent, keepUnsent, UnsentAnimals } from './unsent-animals.tsx'

interface AnimalFormProps {
  /** The name of the form's draft. */
  draftName: string
  /** The values of untouched fields. */
  pet: Partial<NewPet>
  isStatusFixed?: boolean
  submitText: string
  busyText: string
  /** Sends the animal; may fail. Resolves to whether it was sent. */
  onSubmit: (pet: NewPet) => Promise<boolean>
  /** Called after it was sent, if nothing was typed since. */
  onDone: () => void
  /** Called instead if another one is to be added. Undefined: the form is for one animal. */
  onAnother?: (sent: NewPet) => void
}

/** What to do after the animal was sent. */
type Next = 'done' | 'another'

const statusChoices = [...petStatuses, undefined].map((value) => ({ value, text: statusText[value ?? 'none'] }))

/** The fields of an animal, validated while typing after the first change. */
export function AnimalForm(props: AnimalFormProps): VNode {
  const { draftName, pet, isStatusFixed = false, submitText, busyText, onSubmit, onDone, onAnother } = props
  const { rules } = useSignedIn()
  const draft: PetDraft | undefined = useDraft(draftName)
  const [isChecked, setChecked] = useState(false)
  const [isNameTyped, setNameTyped] = useState(false)
  /** The name from before, until the form is sent. */
  const restoredName = useRef(draft?.name)
  const [isChoosing, setChoosing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const known = useCategories()
  useCategoryNames(pet.categoryId === undefined ? [] : [pet.categoryId])

  const nameField = () => form.current?.querySelector('textarea')
  const typed = draft ?? {}
  const name = typed.name ?? pet.name ?? ''
  const category = typed.category ?? (pet.categoryId === undefined ? '' : categoryText(pet.categoryId, known))
  // An open order fixes the status.
  const status = typed.status === undefined || isStatusFixed ? pet.status : (typed.status ?? undefined)
  const meant = matchCategory(category, known)
  const wrong = { name: rules.name(name), category: meant.fault }

  const submitting = useAction<Next>(async (next) => {
    setChecked(true)
    const first = wrong.name !== undefined ? 'pet-name' : meant.id === undefined ? 'pet-category' : undefined
    if (first !== undefined || meant.id === undefined) return document.getElementById(first ?? '')?.focus()
    const sent = readDraft(draftName)
    restoredName.current = undefined
    const wanted = { name, categoryId: toInt64(meant.id), ...(status !== undefined && { status }) }
    // The next name takes its place, also while this one is sent.
    if (next === 'another') {
      nameField()?.focus()
      nameField()?.select()
    }
    try {
      if (!(await onSubmit(wanted))) return
    } catch (error) {
      const now: PetDraft | undefined = readDraft(draftName)
      if (next === 'another' && (now?.name ?? '') !== name) keepUnsent(name)
      throw error
    }
    dropDraft(draftName, sent)
    if (next === 'another') {
      setChecked(false)
      if (readDraft(draftName) === undefined) setNameTyped(false)
      nameField()?.focus()
      return onAnother?.(wanted)
    }
    if (readDraft(draftName) === undefined && form.current?.isConnected === true) onDone()
  })
  const reported = faultsByField(submitting.error, ['name', 'categoryId', 'status'])
  const isCategoryTyped = typed.category !== undefined && !isChoosing
  const hasFaults = Object.keys(reported).length > 0
  const faults = {
    name: reported.name ?? (isChecked || isNameTyped || typed.name !== undefined ? wrong.name : undefined),
    category: reported.categoryId ?? (isChecked || isCategoryTyped ? wrong.category : undefined),
  }

  function type(change: PetDraft): void {
    if (change.name !== undefined) setNameTyped(true)
    const next = draftAfter(readDraft(draftName), change, pet)
    if (next === undefined) dropDraft(draftName)
    else setDraft(draftName, next)
    submitting.clearError()
  }
  function discard(): void {
    setChecked(false)
    setNameTyped(false)
    if (onAnother !== undefined) forgetUnsent()
  }
  function submit(event: Event): void {
    event.preventDefault()
    void submitting.run('done')
  }
  // Ctrl and Enter add another one, from every field.
  function onFormKeyDown(event: KeyboardEvent): void {
    const isCommand = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing
    if (!isCommand || event.defaultPrevented) return
    event.preventDefault()
    void submitting.run(onAnother === undefined ? 'done' : 'another')
  }
  // A name may have several lines, but Enter sends the form, as in other fields.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }

  // In a dialog that is open; one that opens looks for `autofocus`.
  useLayoutEffect(() => {
    nameField()?.focus()
    // What is typed now takes the place of a name from before, instead of following it.
    if (restoredName.current !== undefined) nameField()?.select()
  }, [])
  function onBeforeInput({ currentTarget }: { currentTarget: HTMLTextAreaElement }): void {
    const { value, selectionStart, selectionEnd } = currentTarget
    const isReplaced = value === restoredName.current && selectionStart === 0 && selectionEnd === value.length
    if (isReplaced && value !== '' && onAnother !== undefined) keepUnsent(value)
  }

  return (
    <form ref={form} class="animal-form" onSubmit={submit} onKeyDown={onFormKeyDown} noValidate>
      <UnsavedDraft name={draftName} onDiscard={discard} />
      <Field
        id="pet-name"
        label="Name"
        fault={faults.name}
        control={(tied) => (
          <textarea
            {...tied}
            autofocus
            rows={1}
            dir="auto"
            autocomplete="off"
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => type({ name: currentTarget.value })}
            onBeforeInput={onBeforeInput}
            onKeyDown={onKeyDown}
          />
        )}
      />
      <Field
        id="pet-category"
        label="Category"
        hint={hintFor(category, known.names)}
        fault={faults.category}
        control={(tied) => (
          <CategoryBox
            tied={tied}
            text={category}
            canCreate
            onText={(text, id) => {
              setChoosing(id === undefined)
              type({ category: text })
            }}
            onLeave={() => setChoosing(false)}
          />
        )}
      />
      <ChoiceButtons
        name="pet-status"
        label="Status"
        choices={statusChoices}
        chosen={status}
        isDisabled={isStatusFixed}
        hint={isStatusFixed ? 'It has an open order: completing or cancelling that changes the status.' : ''}
        onChoose={(value) => type({ status: value ?? null })}
      />
      {reported.form !== undefined && (
        <p class="note fault" role="alert">
          {reported.form}
        </p>
      )}
      {submitting.error !== undefined && !hasFaults && <ErrorNotice error={submitting.error} isTyped />}
      {onAnother !== undefined && <UnsentAnimals name={name} setName={(next) => type({ name: next })} />}
      <div class="actions">
        <Button className="button primary" isDisabled={submitting.isRunning}>
          {submitting.isRunning ? busyText : submitText}
        </Button>
        {onAnother !== undefined && (
          <Button isDisabled={submitting.isRunning} onClick={() => submitting.run('another')}>
            Add another
          </Button>
        )}
      </div>
    </form>
  )
}

/** The name of a number that was typed. */
function hintFor(typed: string, names: ReadonlyMap<string, string | null>): string {
  const digits = typed.trim()
  return isInt64(digits) ? (names.get(digits) ?? `Category ${digits} has no name`) : ''
}
