import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Import } from '../../client/src/index.ts'
import { formatAge, formatCount, formatTime, plural, shortName } from '../components/format.ts'
import { isPetChange } from '../state/feed.ts'
import { useLive } from '../state/live.ts'
import { loadPetNames, usePetNames } from '../state/pet-names.ts'
import { currentPreferences, prefer, usePreferences } from '../state/preferences.ts'
import { hrefOf, hrefOfOrder } from '../state/route.ts'
import { useMay } from '../state/session.ts'
import { type OpenOrders, readFailedWebhooks, readOpenOrders, readRejectedImports } from '../state/to-do.ts'

/** What to do now: who waits longest, animals that nobody can buy, rows that were not imported, webhooks without events. */
export function ToDo({ withoutStatus }: { withoutStatus: number }): VNode {
  const may = useMay()
  const { result: orders } = useLive('open orders', (signal) => (may('listOrders') ? readOpenOrders(signal) : none), {
    concerns: (change) => !isPetChange(change),
  })
  const { result: failed } = useLive('failed webhooks', () => (may('listWebhooks') ? readFailedWebhooks() : zero), {
    concerns: () => false,
  })
  const imports = useRejectedImports()
  const names = usePetNames()
  const waiting = orders?.oldest ?? []
  const petIds = waiting.map(({ petId }) => String(petId))
  const isNameMissing = petIds.some((id) => !names.has(id))
  useEffect(() => {
    if (isNameMissing) void loadPetNames(petIds)
  }, [petIds.join(), isNameMissing])
  const isNothingElse = withoutStatus === 0 && (failed ?? 0) === 0 && imports.length === 0
  const isDone = orders !== undefined && waiting.length === 0 && isNothingElse
  return (
    <section class="card to-do" aria-labelledby="to-do">
      <h2 id="to-do" tabindex={-1}>
        What to do now
      </h2>
      {may('listOrders') && (
        <a class="more" href={hrefOf('orders')}>
          {waiting.length === 0 ? 'Open orders' : `Open orders: ${orders?.count}`}
        </a>
      )}
      {isDone && <p class="quiet">Nothing waits for you.</p>}
      <ul>
        {waiting.map(({ id, petId, placedAt }) => (
          <li key={id}>
            <a href={hrefOfOrder(id)}>
              Order {id}: <bdi>{shortName(names.get(String(petId)) ?? `Animal ${petId}`)}</bdi>
            </a>{' '}
            <span class="quiet">open {formatAge(placedAt)}</span>
          </li>
        ))}
        {withoutStatus > 0 && (
          <li>
            <a href={hrefOf('animals', { status: 'none' })}>Without a status: {formatCount(withoutStatus)}</a>
          </li>
        )}
        {imports.slice(0, maxImports).map((one) => (
          <RejectedRows key={one.id} one={one} />
        ))}
        {(failed ?? 0) > 0 && (
          <li>
            <a href={hrefOf('webhooks')}>{plural(failed ?? 0, 'webhook gets', 'webhooks get')} no events</a>
          </li>
        )}
      </ul>
    </section>
  )
}

/** Further ones come when these are done. */
const maxImports = 3

/** Those that this person has not settled. */
function useRejectedImports(): readonly Import[] {
  const may = useMay()
  const { settledImports } = usePreferences()
  const { result = [] } = useLive(
    'rejected imports',
    (signal) => (may('listImports') ? readRejectedImports(signal) : Promise.resolve([])),
    { concerns: () => false },
  )
  return result.filter(({ id }) => !settledImports.includes(id))
}

/** An import of which not all rows were added, until somebody says that nothing is to be done about it. */
function RejectedRows({ one: { id, added, rejected, keyname, at } }: { one: Import }): VNode {
  return (
    <li>
      <span>
        <a href={hrefOf('activity')}>
          {plural(rejected, 'row', 'rows')} rejected, {formatCount(added)} added
        </a>{' '}
        <span class="quiet">
          by <bdi>{shortName(keyname)}</bdi>, <time datetime={at}>{formatTime(at)}</time>
        </span>
      </span>
      <button
        type="button"
        class="button small"
        aria-label={`Done: ${plural(rejected, 'row', 'rows')} rejected`}
        onClick={() => {
          document.getElementById('to-do')?.focus()
          prefer({ settledImports: [...currentPreferences().settledImports, id] })
        }}
      >
        Done
      </button>
    </li>
  )
}

const none = Promise.resolve<OpenOrders>({ oldest: [], count: '0' })
const zero = Promise.resolve(0)
