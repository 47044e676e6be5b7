import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Order, OrderStatus, Page } from '../../../client/src/index.ts'
import { service } from '../../api/service.ts'
import { ChoiceLinks } from '../../components/choices.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Icon } from '../../components/icons.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { NothingSoFar, pageBefore, Pager } from '../../components/pager.tsx'
import { statusText } from '../../components/status.tsx'
import { customerOf, readOrdersOf, searchedCustomer } from '../../state/customer-orders.ts'
import { isPetChange } from '../../state/feed.ts'
import { findOrders } from '../../state/find-orders.ts'
import { useLive } from '../../state/live.ts'
import { countOrders, orderStatuses, patchOrders, readOrders, sortOf } from '../../state/orders.ts'
import { firstPage } from '../../state/page-stack.ts'
import { loadPetNames, usePetNames } from '../../state/pet-names.ts'
import { hrefWith, openOrder, type Query, useScrollPosition } from '../../state/route.ts'
import { findTextOf, orderNumberOf } from '../../state/search-text.ts'
import { useMay } from '../../state/session.ts'
import { useTask } from '../../state/task.ts'
import { visibleText } from '../../state/visible-text.ts'
import { FindBox } from '../animals/find-animal.tsx'
import { ExportDialog } from '../transfer/export-dialog.tsx'
import { NewOrder } from './new-order.tsx'
import { OrderTable } from './order-table.tsx'

const choices = [...orderStatuses.map((value) => ({ value, text: statusText[value] })), { value: 'all', text: 'All' }]

/** The orders; open ones by default, and of those the oldest first. */
export function Orders({ query }: { query: Query }): VNode {
  const { status: asked = 'placed', cursor = '' } = query
  const customer = customerOf(query)
  const find = customer === '' ? findTextOf(query) : ''
  const may = useMay()
  const status = choices.some(({ value }) => value === asked) ? asked : 'placed'
  const list = `orders ${status} ${encodeURIComponent(find)} ${encodeURIComponent(customer)}`
  const filter = { status: status === 'all' ? undefined : (status as OrderStatus) }
  const statusWords = filter.status === undefined ? [] : [statusText[filter.status].toLowerCase()]
  const page = useLive<Page<Order>>(
    `${list} ${cursor}`,
    (signal) => {
      const asked = { ...filter, sort: sortOf(filter.status), cursor: cursor === '' ? undefined : cursor }
      if (customer !== '') return readOrdersOf({ ...asked, customer }, signal)
      return find === '' ? readOrders(asked, signal) : findOrders({ ...asked, text: find }, signal)
    },
    { concerns: (change) => !isPetChange(change), patch: patchOrders },
  )
  const { result: counts } = useLive('numbers of orders', countOrders, { concerns: (change) => !isPetChange(change) })
  // They are of all orders, not of those that were found.
  const shownCounts = find === '' && customer === '' ? counts : undefined
  const [isExporting, setExporting] = useState(false)
  useTask('orders', 'export', () => setExporting(true))
  const [isOrdering, setOrdering] = useState(false)
  useTask('orders', 'order', () => setOrdering(true))
  const names = usePetNames()
  const { result, error, isLoading, isStale, reload } = page
  const petIds = (result?.items ?? []).map(({ petId }) => String(petId))
  const isNameMissing = petIds.some((id) => !names.has(id))
  useEffect(() => {
    if (isNameMissing) void loadPetNames(petIds)
  }, [petIds.join(), isNameMissing])
  useScrollPosition(`${list} ${cursor}`, result !== undefined && !isStale)

  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Orders</h1>
        <div class="view-actions">
          {may('exportOrders') && (
            <button type="button" class="button" onClick={() => setExporting(true)}>
              Export
            </button>
          )}
          {may('placeOrder') && (
            <button type="button" class="button primary" onClick={() => setOrdering(true)}>
              <Icon name="plus" />
              <span>New order</span>
            </button>
          )}
        </div>
      </div>
      <div class="filters">
        <ChoiceLinks
          label="Status"
          choices={choices.map((choice) => ({ ...choice, count: shownCounts?.[choice.value as OrderStatus] }))}
          chosen={status}
          hrefOf={(value) => hrefWith({ status: value, cursor: undefined })}
        />
        <FindBox
          text={find}
          placeholder="Number, name, customer"
          page={page}
          replaces={ofAllCustomers}
          numberOf={orderNumberOf}
          open={openOrder}
        />
      </div>
      {customer !== '' && <OfCustomer name={customer} />}
      <ErrorNotice error={error} retry={reload} />
      <div class="card table-card" aria-busy={isLoading || isStale ? 'true' : 'false'}>
        {result === undefined || (isStale && result.items.length === 0) ? (
          error === undefined && <Loading label="Loading the orders" />
        ) : result.items.length === 0 ? (
          <NoOrders
            status={status}
            list={list}
            cursor={cursor}
            next={result.cursor}
            isSearch={find !== '' || customer !== ''}
            mayOrder={may('placeOrder')}
          />
        ) : (
          <OrderTable orders={result.items} names={names} />
        )}
      </div>
      <Pager list={list} cursor={cursor} page={page} one="order" many="orders" />
      {isOrdering && <NewOrder onClose={() => setOrdering(false)} />}
      {isExporting && (
        <ExportDialog
          what="orders"
          scope={exportScope(statusWords, find, customer)}
          read={(format, options) =>
            service().orders.export({ ...filter, ...exportedCustomer(find, customer), ...format }, options)
          }
          filterWords={[...statusWords, find === '' ? customer : find]}
          onClose={() => setExporting(false)}
        />
      )}
    </div>
  )
}

/** Takes the customer out of the address. */
const ofAllCustomers: Query = { customer: undefined, ...firstPage }

/** Says whose orders are shown: those of one customer. */
function OfCustomer({ name }: { name: string }): VNode {
  return (
    <p class="of-customer">
      <span>
        Orders of <bdi>{visibleText(name)}</bdi>
      </span>{' '}
      <a href={hrefWith(ofAllCustomers)}>Show all customers</a>
    </p>
  )
}

/** A file has the orders that the service finds by one text. */
function exportedCustomer(find: string, customer: string): { customer?: string } {
  const text = customer === '' ? find : searchedCustomer(customer)
  return text === '' ? {} : { customer: text }
}

/** What a file of these orders has, as sentences. */
function exportScope(words: readonly string[], find: string, customer: string): string {
  const orders = ['All', ...words, 'orders'].join(' ')
  if (customer !== '') return `${orders} whose customer has the words of “${customer}”, also of longer names.`
  return find === ''
    ? `${orders}, on all pages.`
    : `${orders} whose customer matches “${find}”. Those that were found only by their number or animal are left out.`
}

interface NoOrdersProps {
  status: string
  list: string
  cursor: string
  /** Undefined if this page is the last one. */
  next: string | undefined
  isSearch: boolean
  mayOrder: boolean
}

function NoOrders({ status, list, cursor, next, isSearch, mayOrder }: NoOrdersProps): VNode {
  if (next !== undefined) return <NothingSoFar next={next} />
  if (isSearch && cursor === '') {
    return (
      <Empty title="No order matches">
        {status !== 'all' && <a href={hrefWith({ status: 'all', cursor: undefined })}>Look in all orders</a>}
      </Empty>
    )
  }
  if (cursor !== '') {
    return (
      <Empty title={isSearch ? 'No further order matches' : 'Nothing on this page any more'}>
        <a href={hrefWith({ cursor: pageBefore(list, cursor) })}>Go to the page before</a>
      </Empty>
    )
  }
  if (status !== 'placed') return <Empty title="No orders here">Orders come here when they end.</Empty>
  return <Empty title="No open orders">{mayOrder && 'Start one with New order.'}</Empty>
}
