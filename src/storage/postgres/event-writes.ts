import { type Forgetting, forgetEventsSql, forgetEventsValues } from '../shared/forget-events.ts'
import { oneByOne } from './batch.ts'

/** What the writer does to events themselves. Each runs inside a transaction of the writer's. */
export const eventWrites = {
  forgetEvents: oneByOne<Forgetting, number>(
    { name: 'forget_events', text: forgetEventsSql('$1::int8', '$2::int8') },
    forgetEventsValues,
    ({ rowCount }) => rowCount ?? 0,
  ),
}
