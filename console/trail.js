const prefix = 'petstore-trail-'

/**
 * The cursors of the pages that were visited in a list, for the way back: the service links only to the page that follows.
 * The first page has the cursor ''.
 */
export function trailOf(list) {
  return JSON.parse(sessionStorage.getItem(prefix + list) ?? '[""]')
}

/** Remembers which page follows another. Answers the trail. */
export function leadOn(list, cursor, next) {
  const trail = trailOf(list)
  const position = trail.indexOf(cursor)
  if (position === -1 || next === undefined || trail[position + 1] === next) return trail
  const longer = [...trail.slice(0, position + 1), next]
  sessionStorage.setItem(prefix + list, JSON.stringify(longer))
  return longer
}
