/** The id of the oldest event that is kept, one above the latest if there is none. AUTOINCREMENT stores the latest. */
export const oldestEventSql = `
  SELECT coalesce((SELECT min(id) FROM events), (SELECT seq + 1 FROM sqlite_sequence WHERE name = 'events'), 1)`
