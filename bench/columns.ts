import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeEnvironment, nodeFlags } from '../bin/find-node.js'
import { encodeCursor } from '../src/http/replies/cursor.ts'
import { petScope } from '../src/http/routes/pets.ts'
import { pageSize } from './data.ts'
import { countAnimals, fillJson, fillOurs, fillPeer } from './fill.ts'
import type { Column, Dialect, Ground } from './dialect.ts'
import { configureNginx, findNginx } from './servers/nginx.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bench = fileURLToPath(new URL('.', import.meta.url))
const node = process.execPath
/** Found when it is used: the first run installs it. Not the one in .bin, which only an install script makes. */
export const findBun = () => globSync(join(bench, 'node_modules/@oven/*/bin/bun'))[0] ?? 'bun'

export const plain: Dialect = {
  list: '/v1/pets',
  byStatus: '/v1/pets?status=available',
  after: (id) => `/v1/pets?after=${id}`,
  hundredAfter: (id) => `/v1/pets?limit=100&after=${id}`,
  one: (id) => `/v1/pets/${id}`,
  create: '/v1/pets',
}
export const oursDialect: Dialect = {
  ...plain,
  order: '/v1/store/orders',
  after: (id) => `/v1/pets?cursor=${encodeCursor({ id: BigInt(id) }, petScope({}))}`,
  hundredAfter: (id) => `${oursDialect.after(id)}&limit=100`,
  search(name, id) {
    const cursor = encodeCursor({ id: BigInt(id) }, petScope({ name }))
    return `/v1/pets?name=${encodeURIComponent(name)}&cursor=${cursor}`
  },
}

export function program(name: string): string {
  return join(bench, 'servers', name)
}

function oursEnv({ folder, port }: Ground): Record<string, string> {
  return { ...nodeEnvironment, PETSTORE_PORT: String(port), PETSTORE_DATABASE_URL: `sqlite:${join(folder, 'pets.db')}` }
}

const startFile = join(root, 'src/cli/start.js')

export const ours: Column = {
  name: 'ours',
  title: 'ours, 1 worker',
  dialect: oursDialect,
  stored: (folder) => countAnimals(join(folder, 'pets.db')),
  fill: (folder, animals, key) => fillOurs(join(folder, 'pets.db'), animals, key),
  command: (ground) => ({
    file: node,
    args: [...nodeFlags, startFile, 'serve'],
    env: oursEnv(ground),
  }),
}

/** The same with more in its environment. */
export function withEnvironment(column: Column, more: Record<string, string>): Column {
  return {
    ...column,
    command(ground) {
      const command = column.command(ground)
      return { ...command, env: { ...command.env, ...more } }
    },
  }
}

/** Ours, as `column` starts it, of another checkout. */
export function ofCheckout(column: Column, folder: string): Column {
  return {
    ...column,
    name: 'before',
    title: 'ours, before',
    command(ground) {
      const command = column.command(ground)
      const start = join(resolve(folder), 'src/cli/start.js')
      return { ...command, args: command.args.map((word) => (word === startFile ? start : word)) }
    },
  }
}

/** Ours, started as a user would: npm, a shell and the service. For the start-up row only. */
export const oursByNpm: Column = {
  ...ours,
  name: 'ours-npm',
  title: 'ours, `npm start`',
  command: (ground) => ({
    file: 'npm',
    args: ['start'],
    // npm would ask the registry for news of itself: nothing here leaves the machine.
    env: { ...oursEnv(ground), npm_config_update_notifier: 'false' },
    cwd: root,
  }),
}

/** Every server that is measured, in the order of the table. `bare` is what the ratios refer to. */
export const columns: readonly Column[] = [
  ours,
  {
    name: 'bare',
    title: 'bare node:http',
    dialect: plain,
    command: ({ bytes, port }) => ({ file: node, args: [program('bare.ts')], env: { BYTES: bytes, PORT: `${port}` } }),
  },
  {
    name: 'bare-headers',
    title: 'bare node:http, our headers',
    dialect: plain,
    command: ({ bytes, port }) => ({
      file: node,
      args: [program('bare.ts')],
      env: { BYTES: bytes, PORT: `${port}`, HEADERS: 'ours' },
    }),
  },
  {
    name: 'fastify-nothing',
    title: 'Fastify, stores nothing',
    dialect: plain,
    command: ({ bytes, port }) => ({
      file: node,
      args: [program('fastify-nothing.ts')],
      env: { BYTES: bytes, PORT: `${port}` },
    }),
  },
  {
    name: 'fastify-sqlite',
    title: 'Fastify + node:sqlite',
    dialect: plain,
    stored: (folder) => countAnimals(join(folder, 'pets.db')),
    fill: (folder, animals, key) => fillPeer(join(folder, 'pets.db'), animals, key),
    command: ({ folder, port }) => ({
      file: node,
      args: [program('fastify-sqlite.ts')],
      env: { DATABASE: join(folder, 'pets.db'), PORT: `${port}` },
    }),
  },
  {
    name: 'hono-bun',
    title: 'Hono on Bun + bun:sqlite',
    dialect: plain,
    stored: (folder) => countAnimals(join(folder, 'pets.db')),
    missing: () => (spawnSync(findBun(), ['--version']).status === 0 ? undefined : 'bun does not run on this machine'),
    fill: (folder, animals, key) => fillPeer(join(folder, 'pets.db'), animals, key),
    command: ({ folder, port }) => ({
      file: findBun(),
      args: [program('hono-bun.ts')],
      env: { DATABASE: join(folder, 'pets.db'), PORT: `${port}` },
    }),
  },
  {
    name: 'json-server',
    title: 'json-server',
    dialect: {
      list: `/pets?_limit=${pageSize}`,
      byStatus: `/pets?status=available&_limit=${pageSize}`,
      after: (id) => `/pets?_start=${id}&_limit=${pageSize}`,
      one: (id) => `/pets/${id}`,
      create: '/pets',
    },
    fill: (folder, animals) => fillJson(join(folder, 'pets.json'), animals),
    command: ({ folder, port }) => ({
      file: node,
      args: [
        join(bench, 'node_modules/json-server/lib/cli/bin.js'),
        '--host=127.0.0.1',
        `--port=${port}`,
        join(folder, 'pets.json'),
      ],
    }),
  },
  {
    name: 'prism',
    title: 'Prism mock',
    // The document's base address is relative, and Prism drops such a one.
    dialect: {
      list: '/pets',
      byStatus: '/pets?status=available',
      after: (id) => oursDialect.after(id).replace('/v1', ''),
      one: (id) => `/pets/${id}`,
      create: '/pets',
    },
    isChecked: false,
    // A copy: Prism starts anew when the document changes, and someone may be working on it.
    fill: (folder) => copyFileSync(join(root, 'openapi.json'), join(folder, 'openapi.json')),
    command: ({ folder, port }) => ({
      file: node,
      args: [
        join(bench, 'node_modules/@stoplight/prism-cli/dist/index.js'),
        'mock',
        '--host=127.0.0.1',
        `--port=${port}`,
        join(folder, 'openapi.json'),
      ],
    }),
  },
  {
    name: 'nginx',
    title: 'nginx, static file',
    // No create: that key is left out.
    dialect: { list: '/list.json', byStatus: '/status.json', after: () => '/page.json', one: () => '/one.json' },
    missing: () => (findNginx() === undefined ? 'nginx is not installed' : undefined),
    command: ({ folder, bytes, port }) => ({
      file: findNginx() ?? 'nginx',
      args: ['-c', configureNginx(folder, bytes, port)],
    }),
  },
]
