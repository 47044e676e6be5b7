import { type Forgetting, forgetEventsSql, forgetEventsValues } from '../../shared/writes/forget-events.ts'
import { oneByOne } from './batch.ts'

/** The writes of events. Each runs inside a transaction of the writer. */
export const eventWrites = {
  forgetEvents: oneByOne<Forgetting, number>(
    { name: 'forget_events', text: forgetEventsSql('$1::int8', '$2::int8') },
    forgetEventsValues,
    ({ rowCount }) => rowCount ?? 0,
  ),
}
