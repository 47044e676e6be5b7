import type { Exchange, Gates, Reply, Route } from '../../http/exchange.ts'
import type { Deliver } from '../../http/request-path.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import type { Storage } from '../../inventory/storage.ts'

export type BugKind =
  | 'validation'
  | 'paging'
  | 'types'
  | 'auth'
  | 'caching'
  | 'concurrency'
  | 'idempotency'
  | 'errors'
  | 'headers'
  | 'protocol'
  | 'events'
  | 'state'

/** The harm to a client: from a nuisance to lost data or access without a key. */
export type Severity = 'low' | 'medium' | 'high' | 'critical'
/** How hard it is to find. */
export type Difficulty = 'easy' | 'medium' | 'hard' | 'devilish'

interface Description {
  /** What the shop does. */
  wrong: string
  /** A section of the contract, such as `contract 4.1`, or a document of ours, and what it says there. */
  breaks: readonly [source: string, sentence: string]
  /** What shows it. */
  found: string
  /** Why checks from outside cannot find it in reasonable time. */
  unfindable?: string
  /** Called for each shop, so that what a bug remembers is its own. */
  make: (shop: ShopFacts) => Parts
}

/** One way in which a shop is wrong. Its number and its name never change, and are never given to another bug. */
export interface Bug extends Description {
  number: number
  name: string
  kind: BugKind
  severity: Severity
  difficulty: Difficulty
}

/** A line of the catalogue: what tells one bug from another stands in front. */
export function bug(
  number: number,
  name: string,
  kind: BugKind,
  severity: Severity,
  difficulty: Difficulty,
  description: Description,
): Bug {
  return { number, name, kind, severity, difficulty, ...description }
}

export interface ShopFacts {
  clock: Clock
  /** The key that opens the shop. */
  ownKey: ApiKey
}

/** What a bug exchanges. All the rest is that of the honest shop. */
export interface Parts {
  /** Triggers for the database; their names begin with `bug_`. */
  triggers?: string
  /** Ports in the place of those of the storage. */
  ports?: (storage: Storage) => Partial<Storage>
  route?: (route: Route) => Route
  /** Other gates, or another order. */
  gates?: (gates: Gates) => Gates
  /** Sends a reply in the place of `send`. */
  send?: (exchange: Exchange, reply: Reply, send: Deliver) => void
}

/** What is wrong with a shop, all bugs together. */
export interface Wrong extends Required<Parts> {
  ports: (storage: Storage) => Storage
}

/** Several bugs as one; each changes what those before it have left. */
export function combine(all: readonly Parts[]): Wrong {
  return {
    triggers: all.map(({ triggers = '' }) => triggers).join('\n'),
    ports: (storage) => all.reduce((changed, { ports }) => ({ ...changed, ...ports?.(changed) }), storage),
    route: (route) => all.reduce((changed, part) => part.route?.(changed) ?? changed, route),
    gates: (gates) => all.reduce((changed, part) => part.gates?.(changed) ?? changed, gates),
    send: (exchange, reply, send) =>
      all.reduce<Deliver>(
        (next, part) => (part.send === undefined ? next : (asked, given) => part.send?.(asked, given, next)),
        send,
      )(exchange, reply),
  }
}
