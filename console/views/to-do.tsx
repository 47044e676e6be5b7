import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { formatAge, formatCount, plural, shortName } from '../components/format.ts'
import { isPetChange } from '../state/feed.ts'
import { useLive } from '../state/live.ts'
import { loadPetNames, usePetNames } from '../state/pet-names.ts'
import { hrefOf, hrefOfOrder } from '../state/route.ts'
import { useMay } from '../state/session.ts'
import { type OpenOrders, readFailedWebhooks, readOpenOrders } from '../state/to-do.ts'

/** What to do now: who waits longest, animals that nobody can buy, webhooks that get no events. */
export function ToDo({ withoutStatus }: { withoutStatus: number }): VNode {
  const may = useMay()
  const { result: orders } = useLive('open orders', (signal) => (may('listOrders') ? readOpenOrders(signal) : none), {
    concerns: (change) => !isPetChange(change),
  })
  const { result: failed } = useLive('failed webhooks', () => (may('listWebhooks') ? readFailedWebhooks() : zero), {
    concerns: () => false,
  })
  const names = usePetNames()
  const waiting = orders?.oldest ?? []
  const petIds = waiting.map(({ petId }) => String(petId))
  const isNameMissing = petIds.some((id) => !names.has(id))
  useEffect(() => {
    if (isNameMissing) void loadPetNames(petIds)
  }, [petIds.join(), isNameMissing])
  const isDone = orders !== undefined && waiting.length === 0 && withoutStatus === 0 && (failed ?? 0) === 0
  return (
    <section class="card to-do" aria-labelledby="to-do">
      <h2 id="to-do">What to do now</h2>
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
        {(failed ?? 0) > 0 && (
          <li>
            <a href={hrefOf('webhooks')}>{plural(failed ?? 0, 'webhook gets', 'webhooks get')} no events</a>
          </li>
        )}
      </ul>
    </section>
  )
}

const none = Promise.resolve<OpenOrders>({ oldest: [], count: '0' })
const zero = Promise.resolve(0)
