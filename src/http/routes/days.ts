import { defaultDays, encodeDay, maxDays } from '../../contract/day.ts'
import { listDays, type ListDaysQuery } from '../../contract/operations/days.ts'
import type { Clock } from '../../inventory/clock.ts'
import { dayOf, dayOfDate, type Days } from '../../inventory/days.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Route } from '../exchange.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { operationRoute } from '../route.ts'

export function dayRoutes(days: Days, clock: Clock): Route[] {
  return [
    operationRoute(listDays, async ({ query }, exchange) => {
      const { first, last } = rangeOf(query, dayOf(clock()))
      const body = await encodeBody(await days.list(first, last), encodeDay, exchange)
      return pageReply(exchange, encodedPage(body))
    }),
  ]
}

/** The first that a date can name. */
const firstDay = dayOfDate('0000-01-01')

function rangeOf({ from, to }: ListDaysQuery, today: number): { first: number; last: number } {
  const last = to === undefined ? today : dayOfDate(to)
  const first = from === undefined ? Math.max(last - defaultDays + 1, firstDay) : dayOfDate(from)
  const fields = [...(from === undefined ? [] : ['from']), ...(to === undefined ? [] : ['to'])]
  if (first > last) throw new PetStoreError('invalid_parameter', 'from must not be later than to.', { fields })
  if (last - first < maxDays) return { first, last }
  throw new PetStoreError('invalid_parameter', `from and to must span at most ${maxDays} days, both included.`, {
    fields,
  })
}
