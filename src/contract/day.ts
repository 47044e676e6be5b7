import type { Static } from 'typebox'
import { Int64, Type } from './schema.ts'
import { codecOf } from './json.ts'
import { membersOf } from './members.ts'

/** Days that one request may ask for, and those that it gets without asking. */
export const maxDays = 366
export const defaultDays = 30

const example = { date: '2026-01-05', added: 10, removed: 0, ordered: 1, completed: 1, cancelled: 0 }

function count(what: string, sample: number) {
  return Type.Unsafe<bigint>({ ...Int64, minimum: 0, description: `How many ${what}.`, examples: [sample] })
}

export const Day = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The day, in UTC.', examples: [example.date] }),
    added: count('animals were added', example.added),
    removed: count('animals were removed', example.removed),
    ordered: count('orders were placed', example.ordered),
    completed: count('orders were completed: their animals were sold', example.completed),
    cancelled: count('orders were cancelled', example.cancelled),
  },
  { $id: 'Day', description: 'What happened in the shop on one day.', examples: [example] },
)
export type Day = Static<typeof Day>

export const { encode: encodeDay } = codecOf<Day>(membersOf(Day))

export const Days = Type.Array(Day, {
  $id: 'Days',
  description: 'Every day of a range, also those on which nothing happened.',
  examples: [[example]],
})
