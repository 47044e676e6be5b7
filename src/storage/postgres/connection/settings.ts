/** Settings of the server by name. A value is written as SHOW prints it. */
export type Settings = Readonly<Record<string, string>>

/**
 * What our statements depend on, and a role, a database or a server may have set otherwise. Every session that we keep
 * has these, and behind a pooler every transaction. Any user may change them.
 *
 * `search_path` is not among them: the operator chooses the schema of our tables.
 */
export const neededSettings: Settings = {
  // What a statement means.
  array_nulls: 'on',
  backslash_quote: 'safe_encoding',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
  transform_null_equals: 'off',
  // What it returns.
  bytea_output: 'hex',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0',
  quote_all_identifiers: 'off',
  row_security: 'on',
  // A commit that a replica may lack is known by its warning.
  client_min_messages: 'warning',
  // What ends a session or a statement.
  exit_on_error: 'off',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  lock_timeout: '0',
  statement_timeout: '0',
  transaction_timeout: '0',
  // A disabled scan costs so much that PostgreSQL before 18 compiles the statement at each call.
  jit: 'off',
}

/**
 * For the sessions that we keep. They only read, unless a transaction says that it writes: so no statement can write
 * outside of one (`begin.ts`).
 */
export const sessionSettings: Settings = {
  ...neededSettings,
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'on',
  enable_bitmapscan: 'on',
  enable_hashagg: 'on',
  enable_hashjoin: 'on',
  enable_incremental_sort: 'on',
  enable_indexonlyscan: 'on',
  enable_indexscan: 'on',
  enable_material: 'on',
  enable_memoize: 'on',
  enable_mergejoin: 'on',
  enable_nestloop: 'on',
  enable_seqscan: 'on',
  enable_sort: 'on',
  enable_tidscan: 'on',
  plan_cache_mode: 'auto',
}

type Scope = 'session' | 'transaction'

/** Several statements. The first ones need no plan: to compile the last one may take longer than its timeout. */
export function setSql(settings: Settings, scope: Scope): string {
  const set = scope === 'transaction' ? 'SET LOCAL' : 'SET'
  return `${set} jit = off; ${set} statement_timeout = 0; ${setInOneSql(settings, scope)}`
}

/**
 * One statement, which sets what has another value. A setting that the server does not know is skipped. `remote_apply`,
 * which is more than `on`, is kept.
 */
export function setInOneSql(settings: Settings, scope: Scope): string {
  const wanted = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`)
  return `SELECT set_config(name, value, ${scope === 'transaction'}) FROM (VALUES ${wanted.join(', ')})
    AS wanted (name, value) WHERE current_setting(name, true) NOT IN (value, 'remote_apply')`
}
