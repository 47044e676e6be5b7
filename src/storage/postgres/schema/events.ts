import { counter } from './counters.ts'

/** The id of the oldest event that is kept, one above the latest if there is none. */
export const oldestEventSql = `SELECT coalesce((SELECT min(id) FROM events), (${counter('events')}) + 1)`
/** The animal that an event is about, as in the index `events_by_pet`. */
export const petOfEvent = "CASE WHEN type LIKE 'order.%' THEN (data::json ->> 'petId')::int8 ELSE subject END"
