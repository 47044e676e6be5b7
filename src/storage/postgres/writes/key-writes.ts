import { oneByOne } from './batch.ts'

/** The write of keys that applies no rule. It runs inside a transaction of the writer. */
export const keyWrites = {
  touchKeys: oneByOne<ReadonlyMap<string, number>, void>(
    {
      name: 'touch_keys',
      text: `
        UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
          FROM unnest($1::text[], $2::int8[]) AS used (id, at) WHERE api_keys.id = used.id`,
    },
    (uses) => [[...uses.keys()], [...uses.values()]],
    () => undefined,
  ),
}
