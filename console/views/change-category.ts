import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { Button } from '../components/button.ts'
import { Dialog } from '../components/dialog.ts'
import { ErrorNotice } from '../components/error-notice.ts'
import { Field, type Tied } from '../components/field.ts'
import { noun, plural, shortName } from '../components/format.ts'
import { html, useState, type VNode } from '../preact.js'
import { useAction } from '../state/action.ts'
import { categoryLabel, nameCategory, removeCategory, useCategories } from '../state/categories.ts'
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
  const [typed, setTyped] = useState(before ?? '')
  const [isChecked, setChecked] = useState(false)
  const { result: count } = useLive(`category ${id}`, (signal) => countAnimals(id, signal), { concerns: () => true })
  const label = categoryLabel(names, id)
  const isSame = typed === before
  const fault = rules.categoryName(typed)

  const naming = useAction(async () => {
    setChecked(true)
    if (fault !== undefined) return document.getElementById('category-name')?.focus()
    if (!isSame) {
      await nameCategory(id, typed)
      notify(html`<bdi>${shortName(label)}</bdi> is now called <bdi>${shortName(typed)}</bdi>`)
    }
    onClose()
  })
  const removing = useAction(async () => {
    await removeCategory(id)
    notify(html`<bdi>${shortName(label)}</bdi> was removed`)
    onClose()
  })
  const isRunning = naming.isRunning || removing.isRunning
  const error = naming.error ?? removing.error

  return html`<${Dialog} label=${`Change ${shortName(label)}`} className="confirm" onClose=${onClose}>
    <h2><bdi>${shortName(label)}</bdi></h2>
    <p>${count !== undefined && html`<${Used} id=${id} count=${count} />`}</p>
    <form
      class="order-form"
      noValidate
      onSubmit=${(event: Event) => {
        event.preventDefault()
        if (!isRunning) void naming.run()
      }}
    >
      <${Field}
        id="category-name"
        label="Name"
        hint=${isSame || typed === '' ? '' : renameText(before, typed, count)}
        fault=${isChecked || typed !== (before ?? '') ? fault : undefined}
        control=${(tied: Tied) => html`<input
          ...${tied}
          dir="auto"
          autocomplete="off"
          readonly=${isRunning}
          value=${typed}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setTyped(currentTarget.value)}
        />`}
      />
      <${ErrorNotice} error=${error} />
      <div class="actions">
        ${
          before !== undefined &&
          count === 0 &&
          may('deleteCategory') &&
          html`<${Button} className="button plain danger-text" isDisabled=${isRunning} onClick=${() => removing.run()}>
            Remove it
          <//>`
        }
        <button type="button" class="button" onClick=${onClose}>Keep as it is</button>
        <${Button} className="button primary" isDisabled=${isRunning}>
          ${before === undefined ? 'Name it' : 'Rename'}
        <//>
      </div>
    </form>
  <//>`
}

function Used({ id, count }: { id: string; count: number }): VNode {
  if (count === 0) return html`<span>No animal has this category.</span>`
  return html`<a href=${hrefOf('animals', { category: id })}>${plural(count, 'animal', 'animals')}</a>
    ${noun(count, ' has', ' have')} this category. It can be removed when none has it.`
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
