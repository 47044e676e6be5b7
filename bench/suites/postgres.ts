import { chmodSync } from 'node:fs'
import { type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts'
import { ours, plain, program } from '../columns.ts'
import type { Column } from '../dialect.ts'
import { countOnServer, fillOursOnServer, fillPeerOnServer, versionOf } from '../fill-postgres.ts'
import type { Sample } from '../samples.ts'
import { anyPage } from '../questions/any-page.ts'
import { creating } from '../questions/create.ts'
import { getOne } from '../questions/get-one.ts'
import { list } from '../questions/list.ts'
import { search } from '../questions/search.ts'
import { throughput } from '../questions/throughput.ts'
import { type Goal, goal, ratio } from '../report.ts'
import type { Suite } from './suite.ts'

const node = process.execPath

const create = throughput({
  ...creating,
  meaning: 'A new animal each, answered when PostgreSQL has it on disk: `fsync` and `synchronous_commit` are on.',
})

/** Every column has a database of its own on one server. */
export function postgresSuite(): Suite {
  let server: PostgresServer | undefined
  let version = ''
  const urlOf = (database: string) => server?.urlOf(database) ?? ''
  return {
    title: 'What the service costs on PostgreSQL, beside the driver alone and a plain service',
    columns: columnsOn(urlOf),
    questions: [list, anyPage, getOne, search, create],
    base: { name: 'driver', title: 'the bare driver', short: 'driver' },
    goals: postgresGoals,
    software: () => [`PostgreSQL ${version} with its default settings`],
    placement: (cores) =>
      `The process that is measured on core ${cores.server}; PostgreSQL and the load on core ${cores.load}`,
    async start(folder) {
      // Where the bench is run by root, PostgreSQL is somebody else who has to reach its data.
      chmodSync(folder, 0o711)
      server = await startPostgres({ durable: true, parent: folder, settings: { autovacuum: 'on' } })
      version = await versionOf(server.url)
      return { name: 'PostgreSQL', pid: server.child.pid as number }
    },
    stop: async () => server?.stop(),
  }
}

function columnsOn(urlOf: (database: string) => string): Column[] {
  return [
    {
      ...ours,
      title: 'ours, 1 worker',
      stored: () => countOnServer(urlOf('ours')),
      fill: (_folder, animals, key) => fillOursOnServer(urlOf('ours'), animals, key),
      command(ground) {
        const command = ours.command(ground)
        return { ...command, env: { ...command.env, PETSTORE_DATABASE_URL: urlOf('ours') } }
      },
    },
    {
      name: 'driver',
      title: 'the bare driver',
      dialect: plain,
      isItsOwnLoad: true,
      stored: () => countOnServer(urlOf('driver')),
      fill: (_folder, animals, key) => fillOursOnServer(urlOf('driver'), animals, key),
      command: ({ port }) => ({
        file: node,
        args: [program('postgres-driver.ts')],
        env: { DATABASE_URL: urlOf('driver'), PORT: `${port}` },
      }),
    },
    {
      name: 'fastify',
      title: 'Fastify + pg',
      dialect: plain,
      stored: () => countOnServer(urlOf('fastify')),
      fill: (_folder, animals, key) => fillPeerOnServer(urlOf('fastify'), animals, key),
      command: ({ port }) => ({
        file: node,
        args: [program('fastify-postgres.ts')],
        env: { DATABASE_URL: urlOf('fastify'), PORT: `${port}` },
      }),
    },
    {
      name: 'express',
      title: 'Express 5 + pg',
      dialect: plain,
      stored: () => countOnServer(urlOf('express')),
      fill: (_folder, animals, key) => fillPeerOnServer(urlOf('express'), animals, key),
      command: ({ port }) => ({
        file: node,
        args: [program('express-postgres.ts')],
        env: { DATABASE_URL: urlOf('express'), PORT: `${port}`, NODE_ENV: 'production' },
      }),
    },
  ]
}

function postgresGoals(row: string, samples: ReadonlyMap<string, Sample>): Goal[] {
  const [ours, driver, fastify, express] = ['ours', 'driver', 'fastify', 'express'].map((name) => samples.get(name))
  if (ours === undefined) return []
  const rate = (other: Sample) => ours.perSecond / other.perSecond
  return [
    ...(driver ? [goal(`${row}: at least 0.6 × the bare driver`, ratio(rate(driver)), rate(driver) >= 0.6)] : []),
    ...(fastify ? fastifyGoals(row, ours, fastify) : []),
    ...(express ? [goal(`${row}: ahead of Express + pg`, ratio(rate(express)), rate(express) > 1)] : []),
  ]
}

function fastifyGoals(row: string, ours: Sample, fastify: Sample): Goal[] {
  const [rate, cpu] = [ours.perSecond / fastify.perSecond, ours.databaseCpu / fastify.databaseCpu]
  return [
    goal(`${row}: at least 1.5 × Fastify + pg`, ratio(rate), rate >= 1.5),
    goal(`${row}: PostgreSQL's CPU not above that of Fastify + pg`, ratio(cpu), cpu <= 1),
  ]
}
