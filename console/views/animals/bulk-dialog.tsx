import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { errorText } from '../../api/error-text.ts'
import { isCurrent } from '../../api/service.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatCount, plural, shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { type BulkFailure, type BulkResult, changeAll, undoAll } from '../../state/bulk.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import { bulkActions, type BulkKind, bulkVerbs, useBulkFields } from './bulk-fields.tsx'
import { FirstNames, useTypedNumber } from './bulk-number.tsx'

/** More take too long to set back one by one. */
const maxUndone = 1_000

interface BulkDialogProps {
  kind: BulkKind
  pets: readonly Pet[]
  /** With the animals that were not changed. */
  onClose: (left: readonly Pet[]) => void
}

/** Asks what to do with the chosen animals, does it, and reports those that failed, to be tried again. */
export function BulkDialog({ kind, pets, onClose }: BulkDialogProps): VNode {
  const [left, setLeft] = useState(pets)
  const [failures, setFailures] = useState<readonly BulkFailure[]>([])
  const [progress, setProgress] = useState(0)
  const title = `${kind === 'delete' ? 'Delete' : 'Change'} ${plural(left.length, 'animal', 'animals')}`

  const number = useTypedNumber(kind === 'delete' && failures.length === 0 ? left.length : 0)
  const { run, isRunning } = useAction(async () => {
    const change = number.isGiven() ? changeOf() : undefined
    if (change === undefined) return
    setProgress(0)
    setFailures([])
    const result = await changeAll(left, change, setProgress)
    const { failures: failed, changed, client } = result
    if (!isCurrent(client)) return
    const count = left.length - failed.length
    const text = `${plural(count, 'animal was', 'animals were')} ${bulkVerbs[kind]}`
    if (count > 0)
      notify(
        text,
        changed.length === 0 || changed.length > maxUndone ? undefined : { text: 'Undo', act: () => undo(result) },
      )
    if (failed.length === 0) return onClose([])
    setFailures(failed)
    setLeft(failed.map(({ pet }) => pet))
  })

  const { fields, changeOf } = useBulkFields(kind, isRunning)
  const close = () => !isRunning && onClose(left)

  return (
    <Dialog label={title} className="confirm" onClose={close}>
      <h2>{title}</h2>
      <form
        class="order-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        {failures.length === 0 && <FirstNames names={left.map(({ name }) => name)} count={left.length} />}
        {fields}
        {number.field}
        {kind !== 'delete' && left.length > maxUndone && (
          <p>These are more than {formatCount(maxUndone)} animals: this cannot be undone.</p>
        )}
        {isRunning && <progress max={left.length} value={progress} aria-label="Progress" />}
        <p role="status" class="note">
          {isRunning && `${formatCount(progress)} of ${plural(left.length, 'animal', 'animals')}`}
        </p>
        <Failures title="stayed as before" failures={failures.filter(({ isUnknown }) => !isUnknown)} />
        <Failures title="may have been changed or not" failures={failures.filter(({ isUnknown }) => isUnknown)} />
        <div class="actions">
          <Button isDisabled={isRunning} onClick={close}>
            {failures.length > 0 ? 'Close' : 'Cancel'}
          </Button>
          <Button className={kind === 'delete' ? 'button danger' : 'button primary'} isDisabled={isRunning}>
            {failures.length > 0 ? `Try ${left.length === 1 ? 'it' : 'these'} again` : bulkActions[kind]}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Sets the animals back to what the page had, unless somebody changed them since. */
async function undo(result: BulkResult): Promise<void> {
  const { stayed, error } = await undoAll(result)
  const count = result.changed.length - stayed
  const undone = count === 0 ? [] : [`${plural(count, 'animal is', 'animals are')} as before.`]
  const why = error === undefined ? 'somebody changed them since' : errorText(error)
  const left = stayed === 0 ? [] : [`${plural(stayed, 'animal stays', 'animals stay')} as now: ${why}`]
  const text = [...undone, ...left].join(' ')
  if (stayed === 0) notify(text)
  else notifyFailure('undo of many', text)
}

function Failures({ title, failures }: { title: string; failures: readonly BulkFailure[] }): VNode | null {
  if (failures.length === 0) return null
  return (
    <div class="failures" role="alert">
      <p>
        {plural(failures.length, 'animal', 'animals')} {title}:
      </p>
      <ul tabindex={0} aria-label={`Animals that ${title}`}>
        {failures.map(({ pet, reason }) => (
          <li key={pet.id}>
            <bdi>{shortName(pet.name)}</bdi> ({pet.id}): {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
