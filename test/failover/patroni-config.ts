/** In seconds, and as short as Patroni allows: `ttl` is what most of a failover is spent waiting for. */
export const timing = { ttl: 20, loop_wait: 2, retry_timeout: 5 }

export interface NodeAddresses {
  /** Where the node itself listens. */
  postgres: number
  rest: number
  /** Where the other nodes find it. */
  postgresForPeers: number
  restForPeers: number
  /** Where it finds etcd. */
  etcd: number
}

export interface PatroniOptions {
  name: string
  folder: string
  addresses: NodeAddresses
  /** The folder of PostgreSQL's programs. */
  programs: string
  /** Of every user of the database. */
  password: string
}

/** Patroni reads YAML, and JSON is YAML. */
export function patroniConfig({ name, folder, addresses, programs, password }: PatroniOptions): string {
  return JSON.stringify({
    scope: 'petstore',
    name,
    restapi: at(addresses.rest, addresses.restForPeers),
    // The second version of etcd's interface: over the third, Patroni before 3.0.3 lets a primary that hung take the
    // lock back from the one that was promoted meanwhile (patroni/patroni#2689). Synchronous mode does not help against
    // that. use_proxies: keep to this address. Patroni would ask etcd for its own and go around the gate.
    etcd: { host: local(addresses.etcd), use_proxies: true },
    bootstrap: {
      dcs: {
        ...timing,
        // A commit is acknowledged when it is on the disks of two nodes, and only the one that surely has it is
        // promoted.
        synchronous_mode: true,
        // Without a second node nothing is acknowledged, rather than acknowledged on one disk alone.
        synchronous_mode_strict: true,
        // A primary that is cut off must be down before its lock is: it does not wait for standbys that cannot hear it.
        primary_stop_timeout: 3,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            // A node that is promoted, and one that has to follow it, waits up to this long; the default is five
            // seconds.
            wal_retrieve_retry_interval: '500ms',
            wal_keep_size: '256MB',
            shared_buffers: '32MB',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      ...at(addresses.postgres, addresses.postgresForPeers),
      data_dir: `${folder}/data`,
      bin_dir: programs,
      pgpass: `${folder}/pgpass`,
      use_unix_socket: true,
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
      },
      remove_data_directory_on_diverged_timelines: true,
    },
    watchdog: { mode: 'off' },
  })
}

function at(own: number, forPeers: number) {
  return { listen: local(own), connect_address: local(forPeers) }
}

function local(port: number): string {
  return `127.0.0.1:${port}`
}
