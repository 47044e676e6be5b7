import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { haproxyConfig } from './haproxy-config.ts'
import { makeNode, type Node, password } from './node.ts'
import type { Programs } from './packages.ts'
import { freePort } from '../support/ports.ts'
import { lastLines, run, start, subfolder, workplace } from './processes.ts'

export interface Cluster {
  /** Whatever runs in it ends with the test. */
  readonly folder: string
  readonly nodes: readonly Node[]
  /** Of the database, wherever its primary is. */
  readonly databaseUrl: string
  /** The address in front of the service's instances. */
  readonly origin: string
  /** Where the instances are to listen. */
  readonly servicePorts: readonly number[]
  /** The node that has the lock and serves, as the nodes other than `suspect` see it. */
  primary(suspect?: Node): Promise<Node | undefined>
  /** Resolves when one node is primary and the others follow it, one of them synchronously. */
  whole(): Promise<void>
  /** Asks the primary to hand over. */
  switchover(): Promise<void>
  /** Runs statements on the primary, through the proxy. */
  sql(statements: string): Promise<string>
}

interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
  timeline?: number
  lag?: number | 'unknown'
}

/** etcd, three PostgreSQL nodes under Patroni, and HAProxy, all on this machine. Gone when the test ends. */
export async function startCluster(t: TestContext, programs: Programs): Promise<Cluster> {
  const root = workplace(t)
  const etcdPort = await startEtcd(programs, root)
  const nodes: Node[] = []
  for (const name of ['one', 'two', 'three']) nodes.push(await makeNode(programs, root, name, etcdPort))
  t.after(() => nodes.forEach(({ gates }) => Object.values(gates).forEach((gate) => gate.remove())))
  const { databasePort, servicePort, servicePorts } = await startProxy(programs, root, nodes)

  async function members(witness: Node): Promise<Member[]> {
    const answer = await fetch(`http://127.0.0.1:${witness.ports.rest}/cluster`, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { members: Member[] }).members
  }

  function urlOf(user: string, database: string): string {
    return `postgres://${user}:${password}@127.0.0.1:${databasePort}/${database}`
  }

  async function psql(url: string, statements: string): Promise<string> {
    const args = [url, '--no-psqlrc', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1']
    return run(root, join(programs.postgres, 'psql'), [...args, '--command', statements])
  }

  const cluster: Cluster = {
    folder: root,
    nodes,
    databaseUrl: urlOf('petstore', 'petstore'),
    origin: `http://127.0.0.1:${servicePort}`,
    servicePorts,

    async primary(suspect) {
      for (const witness of nodes.filter((node) => node !== suspect)) {
        const seen = await members(witness).catch(() => [])
        const leader = seen.find(({ role, state }) => role === 'leader' && state === 'running')
        if (leader !== undefined) return nodes.find(({ name }) => name === leader.name)
      }
    },

    async whole() {
      const isWhole = async () => {
        const views = await Promise.all(nodes.map(members))
        return views.every((seen) => follow(seen))
      }
      await until(isWhole, 120_000, () => {
        const logs = nodes.map(({ name, folder }) => `${name}:\n${lastLines(folder, 25)}`)
        return `The cluster did not become whole.\n${logs.join('\n')}`
      })
    },

    async switchover() {
      const [witness] = nodes as [Node]
      await run(root, programs.patronictl, ['-c', join(witness.folder, 'patroni.json'), 'switchover', '--force'])
    },

    sql: (statements) => psql(cluster.databaseUrl, statements),
  }

  for (const node of nodes) node.start()
  await cluster.whole()
  await until(
    async () => psql(urlOf('postgres', 'postgres'), 'SELECT 1').then(() => true),
    20_000,
    () => 'No primary.',
  )
  await psql(urlOf('postgres', 'postgres'), `CREATE ROLE petstore LOGIN PASSWORD '${password}'`)
  await psql(urlOf('postgres', 'postgres'), 'CREATE DATABASE petstore OWNER petstore')
  return cluster
}

/** Asks until the answer is yes. A question that fails is no answer. */
export async function until(ask: () => Promise<boolean>, milliseconds: number, complaint: () => string): Promise<void> {
  const end = performance.now() + milliseconds
  while (!(await ask().catch(() => false))) {
    if (performance.now() > end) throw new Error(complaint())
    await wait(200)
  }
}

/** Whether all nodes are there, on one timeline, one of them in step with the primary. */
function follow(seen: readonly Member[]): boolean {
  const roles = seen.map(({ role }) => role).toSorted()
  return (
    roles.join() === 'leader,replica,sync_standby' &&
    seen.every(({ state }) => state === 'running') &&
    new Set(seen.map(({ timeline }) => timeline)).size === 1
  )
}

async function startEtcd(programs: Programs, root: string): Promise<number> {
  const folder = subfolder(root, 'etcd')
  const [port, peerPort] = [await freePort(), await freePort()]
  const client = `http://127.0.0.1:${port}`
  const peer = `http://127.0.0.1:${peerPort}`
  start(folder, programs.etcd, [
    '--name=etcd',
    '--enable-v2',
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=etcd=${peer}`,
  ])
  const isUp = async () => (await fetch(`${client}/health`)).ok
  await until(isUp, 20_000, () => `etcd did not start.\n${lastLines(folder, 25)}`)
  return port
}

async function startProxy(programs: Programs, root: string, nodes: readonly Node[]) {
  const folder = subfolder(root, 'haproxy')
  const [databasePort, servicePort] = [await freePort(), await freePort()]
  const servicePorts = [await freePort(), await freePort()]
  const config = haproxyConfig({
    databasePort,
    databases: nodes.map(({ name, gates }) => ({
      name,
      port: gates.postgresForClients.port,
      checkPort: gates.restForClients.port,
    })),
    servicePort,
    services: servicePorts.map((port, index) => ({ name: `instance${index + 1}`, port, checkPort: port })),
  })
  writeFileSync(join(folder, 'haproxy.cfg'), config)
  start(folder, programs.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')])
  return { databasePort, servicePort, servicePorts }
}
