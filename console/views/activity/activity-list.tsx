import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { ShopEvent } from '../../../client/src/index.ts'
import { formatTime, plural } from '../../components/format.ts'
import type { Activity } from '../../state/activity.ts'
import { useEarlierPets } from '../../state/earlier-pets.ts'
import type { HistoryEntry } from '../../state/history.ts'
import { Author, EventSentence } from './event-sentence.tsx'

/** More would be slow to show; the filters find the others. */
const maxListed = 100

interface ActivityListProps {
  activities: readonly Activity[]
  /** Whether the last group may go on. */
  isOpenEnded: boolean
  names: ReadonlyMap<string, string | null>
}

/** What happened. A change of one animal also shows what it was. */
export function DetailedActivityList({ activities, isOpenEnded, names }: ActivityListProps): VNode {
  const single = activities.flatMap(({ entries }) => (entries.length === 1 ? entries : []))
  const known = new Map(useEarlierPets(single).map((entry) => [entry.event.id, entry]))
  const detailed = activities.map((activity): Activity => {
    const [only] = activity.entries
    return {
      ...activity,
      entries: activity.entries.length === 1 ? [known.get(only.event.id) ?? only] : activity.entries,
    }
  })
  return <ActivityList activities={detailed} isOpenEnded={isOpenEnded} names={names} />
}

export function ActivityList({ activities, isOpenEnded, names }: ActivityListProps): VNode {
  return (
    <ol>
      {activities.map(({ id, entries, isCut, petCount }, index) => (
        // A group grows at its beginning: it stays the same, and open, by its end.
        <li key={id}>
          {entries.length === 1 ? (
            <p>
              <EventSentence entry={entries[0]} names={names} />
            </p>
          ) : (
            <Group
              entries={entries}
              petCount={petCount}
              isCut={isCut}
              isOpenEnded={isOpenEnded && index === activities.length - 1}
              names={names}
            />
          )}
          <When event={entries[0].event} />
        </li>
      ))}
    </ol>
  )
}

function When({ event }: { event: ShopEvent }): VNode {
  return (
    <span class="quiet">
      <Author event={event} /> <time datetime={event.time}>{formatTime(event.time)}</time>
    </span>
  )
}

const verbs: Partial<Record<ShopEvent['type'], string>> = {
  'petstore.pet.created': 'added',
  'petstore.pet.updated': 'changed',
  'petstore.pet.deleted': 'deleted',
}

interface GroupProps {
  entries: Activity['entries']
  petCount: number
  isCut: boolean
  isOpenEnded: boolean
  names: ReadonlyMap<string, string | null>
}

/** Changes that were made together; each of them on request. */
function Group({ entries, petCount, isCut, isOpenEnded, names }: GroupProps): VNode {
  const [isOpen, setOpen] = useState(false)
  const count = plural(petCount, 'animal', 'animals')
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {isOpenEnded ? `At least ${count}` : count} were {verbs[entries[0].event.type]}
      </summary>
      {isOpen && <Listed entries={entries.slice(0, maxListed)} names={names} />}
      {isOpen && (isOpenEnded || isCut || entries.length > maxListed) && (
        <p class="quiet">These are the latest {Math.min(entries.length, maxListed)}.</p>
      )}
    </details>
  )
}

function Listed({ entries, names }: { entries: readonly HistoryEntry[]; names: ActivityListProps['names'] }): VNode {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.event.id}>
          <span>
            <EventSentence entry={entry} names={names} />
          </span>
        </li>
      ))}
    </ul>
  )
}
