import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { runAll, runSql } from './postgres-databases.ts'

/** Settings that a role may have and that change what statements mean, return, wait for or cost. */
export const hostileSettings: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  backslash_quote: 'off',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  client_min_messages: 'error',
  commit_delay: '0',
  constraint_exclusion: 'off',
  cursor_tuple_fraction: '0.01',
  DateStyle: 'German, DMY',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  enable_bitmapscan: 'off',
  enable_hashagg: 'off',
  enable_hashjoin: 'off',
  enable_indexonlyscan: 'off',
  enable_indexscan: 'off',
  enable_material: 'off',
  enable_memoize: 'off',
  enable_mergejoin: 'off',
  enable_nestloop: 'off',
  enable_sort: 'off',
  enable_tidscan: 'off',
  exit_on_error: 'on',
  extra_float_digits: '-15',
  from_collapse_limit: '1',
  geqo_threshold: '2',
  gin_fuzzy_search_limit: '1',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '300ms',
  IntervalStyle: 'sql_standard',
  jit: 'on',
  jit_above_cost: '0',
  jit_inline_above_cost: '0',
  jit_optimize_above_cost: '0',
  join_collapse_limit: '1',
  lock_timeout: '1ms',
  max_parallel_workers_per_gather: '8',
  parallel_setup_cost: '0',
  parallel_tuple_cost: '0',
  plan_cache_mode: 'force_custom_plan',
  quote_all_identifiers: 'on',
  random_page_cost: '1000',
  row_security: 'off',
  search_path: '"$user", public, pg_catalog',
  session_replication_role: 'replica',
  standard_conforming_strings: 'off',
  statement_timeout: '400ms',
  synchronous_commit: 'off',
  TimeZone: 'Asia/Kathmandu',
  transaction_timeout: '700ms',
  transform_null_equals: 'on',
  work_mem: '64kB',
  xmloption: 'document',
}

/** Without those that end the connections of a pooler, which are not ours. */
export const hostileBehindPooler = {
  ...hostileSettings,
  exit_on_error: 'off',
  idle_in_transaction_session_timeout: '1s',
  idle_session_timeout: '0',
}

/** The URL of an empty database on the server of `admin`, for a role that owns it and has these settings. */
export async function hostileDatabase(t: TestContext, admin: string, settings = hostileSettings): Promise<string> {
  const name = `petstore_hostile_${randomBytes(6).toString('hex')}`
  const password = randomBytes(9).toString('hex')
  const known = new Set((await runSql(admin, 'SELECT name FROM pg_settings')).flat())
  await runAll(admin, [
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
    `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`,
    ...Object.entries(settings)
      .filter(([setting]) => known.has(setting))
      .map(([setting, value]) => `ALTER ROLE ${name} SET ${setting} = ${quoted(setting, value)}`),
  ])
  // A server of this test may have ended.
  t.after(() => runAll(admin, [`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`]).catch(() => undefined))
  const url = new URL(admin)
  Object.assign(url, { username: name, password, pathname: `/${name}` })
  return url.href
}

/** A path is a list of names, not a text. */
function quoted(setting: string, value: string): string {
  return setting === 'search_path' ? value : `'${value}'`
}
