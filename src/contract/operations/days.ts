import type { Static } from 'typebox'
import { Days, defaultDays, maxDays } from '../day.ts'
import type { Operation } from '../operation.ts'
import { Type } from '../schema.ts'

function date(description: string, example: string) {
  return Type.Optional(Type.String({ format: 'date', description, examples: [example] }))
}

export const ListDaysQuery = Type.Object({
  from: date(`The first day, such as 2026-01-05. Default: so that there are ${defaultDays} days.`, '2026-01-01'),
  to: date(`The last day. Default: today. There are at most ${maxDays} days.`, '2026-01-31'),
})
export type ListDaysQuery = Static<typeof ListDaysQuery>

export const listDays = {
  id: 'listDays',
  method: 'GET',
  path: '/store/days',
  summary: 'Count what happened on each day',
  description:
    'Returns how many animals were added and removed, and how many orders were placed, completed and cancelled, for every ' +
    'day of a range, in UTC. Each change is counted when it is made, by the time of its event, and stays counted when the ' +
    'event is deleted.',
  permission: 'read',
  stability: 'experimental',
  parameters: { query: ListDaysQuery },
  success: { status: 200, description: 'The days, the earliest first.', body: Days, headers: ['ETag'] },
  errors: [],
} as const satisfies Operation
