import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Gate, gateTo } from './gate.ts'
import type { Programs } from './packages.ts'
import { patroniConfig } from './patroni-config.ts'
import { freePort } from '../support/ports.ts'
import { processesIn, signal, start, subfolder } from './processes.ts'

/**
 * One PostgreSQL server and the Patroni that keeps it, reached and reaching through gates. A node that is cut off could
 * still speak to the others' PostgreSQL; but a primary never does, and a replica asks etcd first for whom to follow.
 */
export interface Node {
  readonly name: string
  readonly folder: string
  readonly ports: { postgres: number; rest: number }
  readonly gates: Record<'etcd' | 'postgresForPeers' | 'restForPeers' | 'postgresForClients' | 'restForClients', Gate>
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void
  /** Sends a signal to Patroni, to PostgreSQL with all its processes, or to both. */
  signal(name: NodeJS.Signals, to?: 'patroni' | 'postgres'): void
}

export const password = randomBytes(12).toString('hex')

export async function makeNode(programs: Programs, root: string, name: string, etcdPort: number): Promise<Node> {
  const folder = subfolder(root, name)
  const data = join(folder, 'data')
  const ports = { postgres: await freePort(), rest: await freePort() }
  const gates = {
    etcd: await gateTo(etcdPort),
    postgresForPeers: await gateTo(ports.postgres),
    restForPeers: await gateTo(ports.rest),
    postgresForClients: await gateTo(ports.postgres),
    restForClients: await gateTo(ports.rest),
  }
  const config = join(folder, 'patroni.json')
  const addresses = {
    ...ports,
    etcd: gates.etcd.port,
    postgresForPeers: gates.postgresForPeers.port,
    restForPeers: gates.restForPeers.port,
  }
  writeFileSync(config, patroniConfig({ name, folder, addresses, programs: programs.postgres, password }))

  return {
    name,
    folder,
    ports,
    gates,
    start() {
      start(folder, programs.patroni, [config])
    },
    signal(signalName, to) {
      const postgres = processesIn(data)
      if (to === 'postgres') return signal(postgres, signalName)
      const all = processesIn(folder)
      signal(to === undefined ? all : all.filter((id) => !postgres.includes(id)), signalName)
    },
  }
}
