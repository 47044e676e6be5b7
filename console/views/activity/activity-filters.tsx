import type { VNode } from 'preact'
import { shortName } from '../../components/format.ts'
import type { Activity, EventKind } from '../../state/activity.ts'
import { useKeys } from '../../state/keys.ts'
import { firstPage } from '../../state/page-stack.ts'
import { goWith, replaceWith } from '../../state/route.ts'
import { useMay, useSignedIn } from '../../state/session.ts'

const kinds: readonly { value: EventKind; text: string }[] = [
  { value: 'petstore.pet.created', text: 'Animals added' },
  { value: 'petstore.pet.updated', text: 'Animals changed' },
  { value: 'petstore.pet.deleted', text: 'Animals deleted' },
  { value: 'petstore.order.placed', text: 'Orders placed' },
  { value: 'petstore.order.completed', text: 'Orders completed' },
  { value: 'petstore.order.cancelled', text: 'Orders cancelled' },
]

/** The kind in an address, which is short: `pet.created`. */
export function kindOf(kind: string | undefined): EventKind | undefined {
  return kinds.find(({ value }) => value === `petstore.${kind}`)?.value
}

interface ActivityFiltersProps {
  kind: EventKind | undefined
  keyid: string | undefined
  day: string | undefined
  /** What is shown: a key that may not list the others knows people by what they did. */
  activities: readonly Activity[]
}

export function ActivityFilters({ kind, keyid, day, activities }: ActivityFiltersProps): VNode {
  const may = useMay()
  const show = (change: Record<string, string | undefined>) => goWith({ ...change, ...firstPage })
  // Digits of a year that are typed make a day each: Back would meet all of them.
  const showDay = (next: string | undefined) =>
    day === undefined ? show({ day: next }) : replaceWith({ day: next, ...firstPage })
  const seen = activities.flatMap(({ entries }) => entries.map(({ event }) => event))
  const people = new Map(seen.flatMap(({ keyid: id, keyname }) => (id === undefined ? [] : [[id, keyname ?? id]])))
  return (
    <div class="filters activity-filters">
      <div class="filter">
        <label for="activity-kind">What</label>
        <select
          id="activity-kind"
          value={kind ?? ''}
          onChange={({ currentTarget }) => show({ kind: currentTarget.value.replace('petstore.', '') || undefined })}
        >
          <option value="">Everything</option>
          {kinds.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <div class="filter">
        <label for="activity-by">Who</label>
        {may('listKeys') ? (
          <AnyKey keyid={keyid} seen={people} onChange={(by) => show({ by })} />
        ) : (
          <WhoSelect keyid={keyid} people={people} onChange={(by) => show({ by })} />
        )}
      </div>
      <div class="filter">
        <label for="activity-day">Day</label>
        <input
          id="activity-day"
          type="date"
          value={day ?? ''}
          onChange={({ currentTarget }) => showDay(currentTarget.value || undefined)}
        />
      </div>
    </div>
  )
}

interface WhoProps {
  keyid: string | undefined
  onChange: (keyid: string | undefined) => void
}

/** For admins: all keys, also those that did nothing on this page. */
function AnyKey({ keyid, seen, onChange }: WhoProps & { seen: ReadonlyMap<string, string> }): VNode {
  const { result = [] } = useKeys()
  const people = new Map([...seen, ...result.map(({ id, name }) => [id, name] as const)])
  return <WhoSelect keyid={keyid} people={people} onChange={onChange} />
}

function WhoSelect({ keyid, people, onChange }: WhoProps & { people: ReadonlyMap<string, string> }): VNode {
  const { id, name } = useSignedIn()
  const all = new Map([...(keyid === undefined ? [] : [[keyid, keyid] as const]), ...people, [id, name]])
  return (
    <select
      id="activity-by"
      value={keyid ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    >
      <option value="">Everybody</option>
      {[...all].map(([value, text]) => (
        <option key={value} value={value}>
          {shortName(text)}
          {value === id && ' (you)'}
        </option>
      ))}
    </select>
  )
}
