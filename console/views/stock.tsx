import type { VNode } from 'preact'
import { ErrorNotice } from '../components/error-notice.tsx'
import { formatCount, formatShare, noun, plural } from '../components/format.ts'
import { Empty, Loading } from '../components/loading.tsx'
import { AddAnimalLink } from './animals/add-animal-link.tsx'
import { StatusBar } from '../components/status-bar.tsx'
import { Mark, statusText } from '../components/status.tsx'
import { type CategoryStock, countByStatus, readInventory, type Stock } from '../state/inventory.ts'
import { useLive } from '../state/live.ts'
import { statusesOrNone } from '../state/statuses.ts'
import { hrefOf } from '../state/route.ts'
import { useMay } from '../state/session.ts'
import { visibleText } from '../state/visible-text.ts'
import { Month } from './month.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { ToDo } from './to-do.tsx'

/** The stock at a glance. */
export function StockView(): VNode {
  const may = useMay()
  const { result, error, reload } = useLive<Stock>('stock', may('getInventory') ? readInventory : countByStatus, {
    concerns: () => true,
  })
  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Stock</h1>
        <AddAnimalLink />
      </div>
      <ErrorNotice error={error} retry={reload} />
      {result === undefined ? (
        error === undefined && (
          <div class="card">
            <Loading label="Counting the animals" />
          </div>
        )
      ) : result.total === 0 ? (
        <>
          <div class="card">
            <NoAnimals mayAdd={may('createPet')} />
          </div>
          {may('listEvents') && <RecentActivity />}
        </>
      ) : (
        <div class="overview">
          <ByStatus stock={result} />
          <ToDo withoutStatus={result.none} />
          {may('listDays') && <Month />}
          {result.categories !== undefined && <ByCategory stock={result} />}
          {may('listEvents') && <RecentActivity />}
        </div>
      )}
    </div>
  )
}

function NoAnimals({ mayAdd }: { mayAdd: boolean }): VNode {
  return (
    <Empty title="No animals yet">
      {mayAdd ? 'Add the first one, and the stock will show here.' : 'Once there are some, the stock will show here.'}
    </Empty>
  )
}

function ByStatus({ stock }: { stock: Stock }): VNode {
  const { total } = stock
  return (
    <section class="card by-status" aria-labelledby="by-status">
      <h2 id="by-status">By status</h2>
      <p class="stock-total">
        <strong>{formatCount(total)}</strong> <span>{noun(total, 'animal', 'animals')}</span>
      </p>
      <StatusBar counts={stock} most={total} />
      <ul class="legend">
        {statusesOrNone.map((name) => (
          <li key={name}>
            <a class="legend-row" href={hrefOf('animals', { status: name })}>
              <Mark status={name} />
              <span class="legend-name">{statusText[name]}</span>{' '}
              <span class="legend-count">{formatCount(stock[name])}</span>{' '}
              <span class="legend-share">{formatShare(stock[name], total)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ByCategory({ stock: { total, categories = [], others = 0 } }: { stock: Stock }): VNode {
  const most = Math.max(...categories.map((category) => category.total))
  return (
    <section class="card by-category" aria-labelledby="by-category">
      <h2 id="by-category">By category</h2>
      <a class="more" href={hrefOf('categories')}>
        All categories
      </a>
      <ul class="bars">
        {categories.map((category) => (
          <li key={category.id}>
            <a class="bar-row" href={hrefOf('animals', { category: String(category.id) })}>
              <span class="bar-name">
                <bdi>{visibleText(category.name)}</bdi>
              </span>{' '}
              <span class="bar-count">{formatCount(category.total)}</span>
              <StatusBar counts={category} most={most} />
              <span class="visually-hidden">{statusWords(category)}</span>
            </a>
          </li>
        ))}
        {others > 0 && (
          <li>
            <a class="bar-row" href={hrefOf('categories')}>
              <span class="bar-name">All others</span> <span class="bar-count">{formatCount(others)}</span>
            </a>
          </li>
        )}
      </ul>
      <p class="visually-hidden">{plural(total, 'animal', 'animals')} in all.</p>
    </section>
  )
}

function statusWords(category: CategoryStock): string {
  const present = statusesOrNone.filter((name) => category[name] > 0)
  return present.map((name) => `${statusText[name]} ${formatCount(category[name])}`).join(', ')
}
