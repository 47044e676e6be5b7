import type { Cluster } from './cluster.ts'
import type { Node } from './node.ts'

/** A fault of the primary. */
export interface Fault {
  readonly kind: string
  /** Whether another node must become primary before it is over. */
  readonly deposes: boolean
  strike(primary: Node, cluster: Cluster): void | Promise<void>
  /** Brings the node back, as its operator would. */
  heal(primary: Node): void
}

export const faults: readonly Fault[] = [
  {
    kind: 'killed (kill -9)',
    deposes: true,
    strike: (primary) => primary.signal('SIGKILL'),
    heal: (primary) => primary.start(),
  },
  {
    kind: 'hung (SIGSTOP)',
    deposes: true,
    strike: (primary) => primary.signal('SIGSTOP'),
    heal: (primary) => primary.signal('SIGCONT'),
  },
  {
    kind: 'cut off from everyone',
    deposes: true,
    strike: ({ gates }) => Object.values(gates).forEach((gate) => gate.shut()),
    heal: ({ gates }) => Object.values(gates).forEach((gate) => gate.open()),
  },
  {
    // The one that would make two primaries: clients still reach it, and it still believes in its lock.
    kind: 'cut off from the other nodes and etcd alone',
    deposes: true,
    strike: (primary) => towardsPeers(primary).forEach((gate) => gate.shut()),
    heal: (primary) => towardsPeers(primary).forEach((gate) => gate.open()),
  },
  {
    kind: 'switchover (planned)',
    deposes: true,
    strike: (_primary, cluster) => cluster.switchover(),
    heal: () => undefined,
  },
  {
    // Patroni starts it again, on the same node.
    kind: 'PostgreSQL alone killed (kill -9)',
    deposes: false,
    strike: (primary) => primary.signal('SIGKILL', 'postgres'),
    heal: () => undefined,
  },
  {
    // PostgreSQL runs on as a primary that nobody keeps, beside the next one.
    kind: 'Patroni alone hung (SIGSTOP)',
    deposes: true,
    strike: (primary) => primary.signal('SIGSTOP', 'patroni'),
    heal: (primary) => primary.signal('SIGCONT', 'patroni'),
  },
]

function towardsPeers({ gates }: Node) {
  return [gates.etcd, gates.postgresForPeers, gates.restForPeers]
}
