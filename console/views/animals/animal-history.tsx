import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Pet, WithEtag } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { formatTime } from '../../components/format.ts'
import { Loading } from '../../components/loading.tsx'
import { useAction } from '../../state/action.ts'
import { type HistoryEntry, undoChange, useHistory } from '../../state/history.ts'
import { isSamePet } from '../../state/pets.ts'
import { useMay, useSignedIn } from '../../state/session.ts'
import { Steps } from '../activity/steps.tsx'
import { Author } from '../activity/event-sentence.tsx'
import { OrderLink } from '../orders/order-link.tsx'

const firstShown = 5

interface AnimalHistoryProps {
  pet: WithEtag<Pet>
  /** Reads the animal again. */
  reload: () => Promise<unknown>
}

/** What happened to an animal: what changed, who changed it and when. */
export function AnimalHistory({ pet, reload }: AnimalHistoryProps): VNode {
  const [count, setCount] = useState(firstShown)
  const { result, error, isStale, reload: reloadHistory } = useHistory(pet.id, count)
  const before = useUndoable(pet, result?.entries[0])
  const [isRefused, setRefused] = useState(false)
  const undoing = useAction(async (wanted: Pet) => {
    try {
      setRefused(!(await undoChange(pet, wanted)))
    } finally {
      await Promise.all([reload(), reloadHistory()])
    }
  })
  return (
    <section class="sheet-section" aria-labelledby="history-heading">
      <h3 id="history-heading">History</h3>
      {before !== undefined && (
        <Button className="button small" isDisabled={undoing.isRunning} onClick={() => undoing.run(before)}>
          Undo the last change
        </Button>
      )}
      {isRefused && (
        <p class="note" role="alert">
          Somebody changed this animal since: nothing was undone.
        </p>
      )}
      <ErrorNotice error={undoing.error} />
      <ErrorNotice error={error} retry={reloadHistory} />
      {result === undefined && error === undefined && <Loading lines={2} label="Loading the history" />}
      {result?.entries.length === 0 && <p class="quiet">Nothing is kept of what happened to it.</p>}
      {result !== undefined && (
        <ol class="history">
          {result.entries.map((entry) => (
            <li key={entry.event.id}>
              <What entry={entry} />
              <p class="quiet">
                <Author event={entry.event} /> <time datetime={entry.event.time}>{formatTime(entry.event.time)}</time>
              </p>
            </li>
          ))}
        </ol>
      )}
      {result?.hasMore === true && (
        <Button className="button small" isDisabled={isStale} onClick={() => setCount(4 * count)}>
          Show older changes
        </Button>
      )}
    </section>
  )
}

/**
 * The animal before its latest change, if that was made with this key and nothing happened since. An order is undone by
 * cancelling it, and a deleted animal cannot come back: its number is never given again.
 */
function useUndoable(pet: Pet, latest: HistoryEntry | undefined): Pet | undefined {
  const may = useMay()
  const { id } = useSignedIn()
  if (latest?.event.type !== 'petstore.pet.updated' || latest.event.keyid !== id || !may('updatePet')) return undefined
  return isSamePet(pet, latest.event.data) ? latest.before : undefined
}

const what = {
  'petstore.pet.created': 'Added',
  'petstore.pet.updated': 'Changed',
  'petstore.pet.deleted': 'Deleted',
  'petstore.order.placed': 'placed',
  'petstore.order.completed': 'completed',
  'petstore.order.cancelled': 'cancelled',
}

function What({ entry: { event, before, after } }: { entry: HistoryEntry }): VNode {
  const isChange = event.type === 'petstore.pet.updated'
  const title =
    'petId' in event.data ? (
      <>
        <OrderLink id={event.data.id} /> {what[event.type]}
      </>
    ) : (
      what[event.type]
    )
  if (before === undefined || after === undefined) return <p>{title}</p>
  return (
    <p>
      {!isChange && <span>{title}</span>}
      <Steps before={before} after={after} />
    </p>
  )
}
