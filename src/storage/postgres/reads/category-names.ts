import { afterKeys, type CategoryMatch, foldedKeyOf, matchOf, nameKeyOf } from '../../../inventory/category-names.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import type { Result, Statement } from '../connection/statement.ts'

// At most two, whatever the number of categories with this name. In the order of the index, so that the planner takes it.
const matching = (condition: string) => `
  LATERAL (SELECT min(id), max(id) FROM (
    SELECT id FROM categories WHERE ${condition} ORDER BY categories.name_key, id LIMIT 2) AS found)`

/** What each name stands for. The parameters are columns (nameKeys). */
export const categoryMatches: Statement = {
  name: 'category_matches',
  text: `
    SELECT exact.*, similar_.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (name_key, folded_key, nth),
      ${matching('categories.name_key = wanted.name_key')} AS exact,
      ${matching(`categories.name_key >= folded_key AND categories.name_key < folded_key || '${afterKeys}'`)} AS similar_
      ORDER BY nth`,
}

export async function nameKeys(names: readonly string[]): Promise<[nameKeys: string[], foldedKeys: string[]]> {
  const keys: [string[], string[]] = [[], []]
  const steps = loopSteps()
  for (const name of names) {
    keys[0].push(nameKeyOf(name))
    keys[1].push(foldedKeyOf(name))
    if (steps.isOver()) await steps.next()
  }
  return keys
}

type MatchRow = [...exact: LowestAndHighest, ...similar: LowestAndHighest]
type LowestAndHighest = [lowest: bigint | null, highest: bigint | null]

export function toMatches({ rows }: Result): CategoryMatch[] {
  return (rows as MatchRow[]).map(([exact, otherExact, similar, otherSimilar]) =>
    matchOf(idsOf(exact, otherExact), idsOf(similar, otherSimilar)),
  )
}

function idsOf(lowest: bigint | null, highest: bigint | null): bigint[] {
  if (lowest === null || highest === null) return []
  return lowest === highest ? [lowest] : [lowest, highest]
}
