import type { DatabaseSync } from 'node:sqlite'
import { type LoadEndpoint, mcpRoutes, type ToolPath } from '../http/mcp.ts'
import type { VersionedCache } from '../http/cache/versioned-cache.ts'
import type { Exchange, Gates, Route } from '../http/exchange.ts'
import type { Observer } from '../http/replies/observe.ts'
import { send } from '../http/replies/send.ts'
import { type Deliver, requestPath } from '../http/request-path.ts'
import { isInApi } from '../http/route-table.ts'
import { shopEdge, type ShopEdgeOptions } from '../http/shop-edge.ts'
import type { Clock } from '../inventory/clock.ts'
import { deletionsOf } from '../inventory/delete-old-rows.ts'
import { collectKeyUses } from '../inventory/key-uses.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { MemoryStorage } from '../storage/sqlite/open-in-memory.ts'
import { combine, type Wrong } from './bugs/bug.ts'
import { shopLimits } from './limits.ts'
import { refuseNamedPage } from './named-pages.ts'

export interface ContentsOptions {
  storage: MemoryStorage
  clock: Clock
  observer: Observer
  cache: VersionedCache
  /** The key that opens the shop. */
  ownKey: { hash: string; key: ApiKey } | undefined
  /** More routes than those of a shop. */
  routes: readonly Route[]
  /** Hears of every test and repetition of a webhook. */
  deliveryTried?: ShopEdgeOptions['deliveryTried']
  beginDelivery?: ShopEdgeOptions['beginDelivery']
  /** Exchanges gates. Their order is that of the names. */
  change?: ((gates: Gates) => Gates) | undefined
  /** For agents. */
  loadMcp: LoadEndpoint
  /** Changes how the tools of agents are carried out. */
  toolPath?: ToolPath | undefined
  /** What is wrong with the shop. The other `routes` are right. */
  wrong?: Wrong | undefined
}

/** What a shop has between two resets: its database, and the edge in front of it. */
export interface Contents {
  readonly storage: MemoryStorage
  readonly isInUse: boolean
  answer(exchange: Exchange, deliver?: Deliver): void
  /** Stores when keys were last used, and forgets what is too old. */
  maintain(): Promise<void>
  /** Ends streams and imports; other requests get their responses. Then the database is gone. */
  end(reason: 'stopping' | 'reset'): void
  /** The same, but the database stays, for other contents. */
  handOver(): void
  /** Closes the connections of requests that still run. */
  cut(): void
}

const eventRetentionMs = 30 * 24 * 60 * 60_000

export function openContents(options: ContentsOptions): Contents {
  const { storage, clock, observer, routes, change = (gates) => gates, wrong = combine([]) } = options
  setTriggers(storage.db, wrong.triggers)
  const keyUses = collectKeyUses(storage.keys)
  const edge = shopEdge({
    ...options,
    storage: wrong.ports(storage),
    environment: 'staging',
    source: '/v1',
    keyUsed: keyUses.note,
    corsOrigins: [],
    streamLimits: { maxStreams: 200, maxStreamsPerKey: 100, maxBufferedBytes: 1024 * 1024 },
    // A sandbox is for the machine of a developer.
    webhookAddresses: { allowPrivate: true },
    importLimits: { maxImports: 1, maxBytes: shopLimits.bytes },
  })
  const ofShop = edge.routes.map(wrong.route)
  const toolPath = options.toolPath && wrongTools(options.toolPath, wrong)
  const ofAgents = mcpRoutes({ routes: ofShop, clock, observer, corsOrigins: [], load: options.loadMcp, toolPath })
  // A cache of responses would cost more memory than the shop.
  const all = [...ofShop, ...ofAgents, ...routes]
  const gates = change({ ...edge.gates(all), refuseNamedPage, replyFromCache: undefined })
  const path = requestPath(Object.values(gates), observer)
  const wrongPath = requestPath(Object.values(wrong.gates(gates)), observer)
  const running = new Set<Exchange>()
  let hasEnded = false

  function finish(exchange: Exchange): void {
    running.delete(exchange)
    if (hasEnded && running.size === 0) void storage.close()
  }

  return {
    storage,
    get isInUse() {
      return running.size > 0
    },
    answer(exchange, deliver = send) {
      if (!exchange.response.outgoing.destroyed) {
        running.add(exchange)
        exchange.response.outgoing.once('close', () => finish(exchange))
      }
      if (isOfShop(exchange.request.target.path)) {
        wrongPath(exchange, (asked, reply) => wrong.send(asked, reply, deliver))
      } else path(exchange, deliver)
    },
    async maintain() {
      try {
        await keyUses.store()
        const [now, realNow] = [clock(), Date.now()]
        for (const deleteSome of deletionsOf(storage, eventRetentionMs)) while ((await deleteSome(now, realNow)) > 0);
      } catch (error) {
        // Of contents that a reset has replaced meanwhile nothing is kept.
        if (!hasEnded) throw error
      }
    },
    end(reason) {
      hasEnded = true
      edge.endLongRequests(reason)
      if (running.size === 0) void storage.close()
    },
    handOver: () => edge.endLongRequests('reset'),
    cut() {
      for (const { request } of running) request.incoming?.socket.destroy()
    },
  }
}

/** Whether a path is that of the shop. Its pages, and the operations of the sandbox, have no bugs. */
function isOfShop(path: string): boolean {
  return isInApi(path) && path !== '/v1/sandbox' && !path.startsWith('/v1/sandbox/')
}

/** Tools have the bugs of their operations, except for gates that only requests have. */
function wrongTools(path: ToolPath, wrong: Wrong): ToolPath {
  return {
    begin: path.begin,
    gates(gates) {
      const honest = path.gates(gates)
      return Object.fromEntries(Object.entries(wrong.gates(honest)).filter(([name]) => name in honest))
    },
    deliver: (tool, reply, pass) => wrong.send(tool, reply, (asked, sent) => path.deliver(asked, sent, pass)),
  }
}

/** Gives a database these triggers, in the place of those of other bugs. */
function setTriggers(db: DatabaseSync, triggers: string): void {
  const others = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'bug_*'").all()
  for (const { name } of others) db.exec(`DROP TRIGGER "${name as string}"`)
  db.exec(triggers)
}
