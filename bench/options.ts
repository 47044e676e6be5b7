import { join } from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  /** Against PostgreSQL, not against SQLite. */
  postgres: boolean
  /** Another checkout with the same schema, measured beside this one. */
  against: string | undefined
  /** Names of columns to run; empty for all. */
  only: string[]
  /** Names of rows to run; empty for all. */
  rows: string[]
  /** Animals in the shop that all columns serve. */
  animals: number
  /** Sizes for the row "size". */
  sizes: number[]
  /** How often a row is measured that starts servers of its own. */
  rounds: number
  /** Measurements of each server in any other row: short ones in turn, so that a disturbance hits few. */
  slices: number
  /** Length of one of them and of the warm-up before a row, in milliseconds. */
  slice: number
  warmUp: number
  /** Cores of the server under test and of the load. */
  cores: { server: number; load: number }
  /** Where the temporary folder is made: on the disk that the fsyncs shall reach. */
  folder: string | undefined
  /** File for the report; undefined for none. */
  results: string | undefined
}

// Under load on one slow core, V8 takes some ten seconds until the code of a request has its final form. A service runs
// for weeks, so that is not what a row measures.
const forms = {
  quick: { rounds: 3, slices: 3, slice: 220, warmUp: 120, sizes: [1_000, 100_000] },
  usual: { rounds: 3, slices: 9, slice: 600, warmUp: 4_000, sizes: [1_000, 100_000, 1_000_000] },
  full: { rounds: 5, slices: 15, slice: 1_000, warmUp: 6_000, sizes: [1_000, 100_000, 10_000_000] },
}

export const usage = `node bench/run.ts [--postgres] [--quick | --full] [--only ours,bare] [--rows list,create]
  --postgres       ours on PostgreSQL, beside the bare driver and a plain service; 5 minutes
  --quick          short measurements, under 4 minutes; for a look, not for a claim
  --full           long measurements and 10,000,000 animals; 70 minutes
  --only NAMES     these servers only (ratios need bare, or driver)
  --rows NAMES     these rows only
  --against DIR    ours of another checkout too, such as a worktree of the commit before, called before
  --cores A,B      core for the server and core for the load; 0,1 unless told
  --folder DIR     where the temporary folder is made; the system's unless told
  --results FILE   where the report goes; bench/results.md or results-postgres.md for a complete run, nowhere for a partial or quick one`

export function readOptions(args: string[], home: string): Options | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      postgres: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      rows: { type: 'string', default: '' },
      against: { type: 'string' },
      cores: { type: 'string', default: '0,1' },
      folder: { type: 'string' },
      results: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  if (values.quick && values.full) throw new Error('--quick and --full exclude each other.')
  const [server = Number.NaN, load = Number.NaN] = values.cores.split(',').map(Number)
  if (!Number.isInteger(server) || !Number.isInteger(load) || server === load) {
    throw new Error(`--cores must be two different cores such as 0,1, got "${values.cores}".`)
  }
  // A quick or partial run must not silently take the place of a complete one that is kept in the repository.
  const complete = !values.quick && values.only === '' && values.rows === '' && values.against === undefined
  const defaultResults = join(home, values.postgres ? 'results-postgres.md' : 'results.md')
  return {
    postgres: values.postgres,
    against: values.against,
    ...forms[values.quick ? 'quick' : values.full ? 'full' : 'usual'],
    only: names(values.only),
    rows: names(values.rows),
    animals: 100_000,
    cores: { server, load },
    folder: values.folder,
    results: values.results ?? (complete ? defaultResults : undefined),
  }
}

function names(list: string): string[] {
  return list.split(',').filter((name) => name !== '')
}
