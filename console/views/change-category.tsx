import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { useFirstField } from '../components/action-form.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { Field } from '../components/field.tsx'
import { noun, plural, shortName } from '../components/format.ts'
import { UnsavedDraft } from '../components/unsaved-draft.tsx'
import { useAction } from '../state/action.ts'
import { categoryLabel, isCalledByAnother, nameCategory, removeCategory, useCategories } from '../state/categories.ts'
import { useForm } from '../state/form.ts'
import { useLive } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { hrefOf } from '../state/route.ts'
import { useMay, useSignedIn } from '../state/session.ts'

/** Names or renames a category, or removes it if no animal has it. */
export function ChangeCategory({ id, onClose }: { id: string; onClose: () => void }): VNode {
  const may = useMay()
  const { rules } = useSignedIn()
  const { names } = useCategories()
  const before = names.get(id) ?? undefined
  const form = useForm(`category-${id}`, { name: before ?? '' })
  const typed = form.values.name
  const element = useRef<HTMLFormElement>(null)
  useFirstField(element, 'category-name', form.draftName)
  const [isChecked, setChecked] = useState(false)
  /** The name of another category, which the user was asked about. */
  const [asked, setAsked] = useState<string>()
  const { result: count } = useLive(`category ${id}`, (signal) => countAnimals(id, signal), { concerns: () => true })
  const label = categoryLabel(names, id)
  const isSame = typed === before
  const isAsked = !isSame && typed === asked
  const fault = rules.categoryName(typed)
  const action = `${before === undefined ? 'Name it' : 'Rename'}${isAsked ? ' anyway' : ''}`

  const naming = useAction(async () => {
    setChecked(true)
    if (fault !== undefined) return document.getElementById('category-name')?.focus()
    if (!isSame) {
      if (!isAsked && (await isCalledByAnother(id, typed))) return setAsked(typed)
      await nameCategory(id, typed)
      form.drop()
      notify(
        <>
          <bdi>{shortName(label)}</bdi> is now called <bdi>{shortName(typed)}</bdi>
        </>,
      )
    }
    onClose()
  })
  const removing = useAction(async () => {
    await removeCategory(id)
    notify(
      <>
        <bdi>{shortName(label)}</bdi> was removed
      </>,
    )
    onClose()
  })
  const isRunning = naming.isRunning || removing.isRunning
  const error = naming.error ?? removing.error

  return (
    <Dialog label={`Change ${shortName(label)}`} className="confirm" onClose={onClose}>
      <h2>
        <bdi>{shortName(label)}</bdi>
      </h2>
      <p>{count !== undefined && <Used id={id} count={count} />}</p>
      <form
        ref={element}
        class="order-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isRunning) void naming.run()
        }}
      >
        <UnsavedDraft name={form.draftName} onDiscard={() => setChecked(false)} />
        <Field
          id="category-name"
          label="Name"
          hint={
            isAsked
              ? `Another category is called that already. ${action}?`
              : isSame || typed === ''
                ? ''
                : renameText(before, typed, count)
          }
          fault={isChecked || typed !== (before ?? '') ? fault : undefined}
          control={(tied) => (
            <input
              {...tied}
              dir="auto"
              autocomplete="off"
              readonly={isRunning}
              value={typed}
              onInput={({ currentTarget }) => form.set({ name: currentTarget.value })}
            />
          )}
        />
        <ErrorNotice error={error} isTyped />
        <div class="actions">
          {before !== undefined && count === 0 && may('deleteCategory') && (
            <Button className="button plain danger-text" isDisabled={isRunning} onClick={() => removing.run()}>
              Remove it
            </Button>
          )}
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <Button className="button primary" isDisabled={isRunning}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Used({ id, count }: { id: string; count: number }): VNode {
  if (count === 0) return <span>No animal has this category.</span>
  return (
    <>
      <a href={hrefOf('animals', { category: id })}>{plural(count, 'animal', 'animals')}</a>
      {noun(count, ' has', ' have')} this category. It can be removed when none has it.
    </>
  )
}

function renameText(before: string | undefined, after: string, count: number | undefined): string {
  const change =
    before === undefined ? `Call it «${shortName(after)}»` : `Rename «${shortName(before)}» to «${shortName(after)}»`
  if (count === undefined || count === 0) return `${change}.`
  return `${change}: ${plural(count, 'animal keeps', 'animals keep')} it.`
}

function countAnimals(id: string, signal: AbortSignal): Promise<number> {
  return service().pets.count({ categoryId: toInt64(id) }, { signal })
}
