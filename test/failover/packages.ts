import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const debian =
  'apt-get install --no-install-recommends patroni python3-etcd etcd-server haproxy postgresql-15, on Debian 12'
const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/bin']

/** Where the programs are that a highly available deployment is made of. */
export interface Programs {
  etcd: string
  haproxy: string
  patroni: string
  patronictl: string
  /** The folder of PostgreSQL's own programs. */
  postgres: string
}

/** The programs, or the sentence that says what is missing and how to get it. */
export function findPrograms(): Programs | string {
  if (process.platform !== 'linux') return 'The failover test needs Linux.'
  const found = {
    etcd: find('etcd'),
    haproxy: find('haproxy'),
    patroni: find('patroni'),
    patronictl: find('patronictl'),
    postgres: newestPostgres(),
    'python3-etcd': canImportEtcd() ? 'etcd' : undefined,
  }
  const missing = Object.entries(found).flatMap(([name, path]) => (path === undefined ? [name] : []))
  if (missing.length > 0) return `The failover test needs what is not installed: ${missing.join(', ')} (${debian}).`
  return found as Required<typeof found> as Programs
}

function find(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Patroni's package leaves it open which store it speaks to. */
function canImportEtcd(): boolean {
  return spawnSync('/usr/bin/python3', ['-c', 'import etcd']).status === 0
}

function newestPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const versions = readdirSync(root).toSorted((one, other) => Number(other) - Number(one))
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}
