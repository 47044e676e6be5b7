import { versionedCache } from '../http/cache/versioned-cache.ts'
import type { Exchange, Route } from '../http/exchange.ts'
import { endpointLoader } from '../http/mcp.ts'
import { consoleRoutes } from '../http/pages/console.ts'
import { guideRoutes } from '../http/pages/guides.ts'
import { referenceRoutes } from '../http/pages/reference.ts'
import { siteOf } from '../http/replies/base-address.ts'
import { challenge, noInvitation, unauthorized } from '../http/replies/challenge.ts'
import type { Observer } from '../http/replies/observe.ts'
import type { Answer, Deliver } from '../http/request-path.ts'
import { headerHashes } from '../http/request/header-hashes.ts'
import { onceClosed } from '../http/request/once-closed.ts'
import type { ReceivedRequest } from '../http/request/received-request.ts'
import { deliveryLimit } from '../http/routes/delivery-limit.ts'
import { documentRoutes } from '../http/routes/documents.ts'
import { healthRoutes } from '../http/routes/health.ts'
import { type App, createApp } from '../http/server/app-server.ts'
import { lifecycle } from '../http/server/lifecycle.ts'
import { isPreflight } from '../http/gates/cors.ts'
import { openByteBudget } from '../inventory/byte-budget.ts'
import { unavailable } from '../inventory/errors.ts'
import { openPlaces } from '../inventory/places.ts'
import { openInMemory } from '../storage/sqlite/open-in-memory.ts'
import { noBugs, type ShopBugs } from './bugs/shop-bugs.ts'
import { openContents } from './contents.ts'
import type { Images } from './images.ts'
import { maxDeliveriesOfAllShops, maxShops } from './limits.ts'
import { sandboxOperations } from './operations.ts'
import { firstShop, misplacedNames, shopNameIn } from './shop-key.ts'
import { openShop, type Shop } from './shop.ts'
import { shopRegistry } from './shops.ts'

export interface SandboxOptions {
  images: Images
  /** The bugs that every shop begins with. */
  bugs?: ShopBugs | undefined
  observer: Observer
  /** Tells for how long shops are unused, in milliseconds from any moment. */
  now?: (() => number) | undefined
  maxShops?: number | undefined
  /** Tests and repetitions of webhooks that run at once. */
  maxDeliveries?: number | undefined
}

const maintenanceIntervalMs = 10_000
/** Seeds and snapshots that are read or sent at once. Each may take as much memory as a shop. */
const maxFiles = 16
/** One that takes longer may lose its place to another shop. */
const maxFileMs = 30_000

/** The value of the header for a response that no shop gives. No shop can have this name. */
const noShop = '*'
const shopHeader = 'petstore-sandbox'

/** Builds a server with a shop for each key `sandbox_NAME`. Does not listen yet. */
export function buildSandbox({
  images,
  bugs = noBugs,
  observer,
  now = () => performance.now(),
  ...options
}: SandboxOptions): App {
  const state = lifecycle()
  // Nothing is cached: the storages of the shops have versions of their own.
  const cache = versionedCache(() => Number.NaN)
  const hashOf = headerHashes('staging')
  const loadMcp = endpointLoader()
  const refusals = new WeakMap<Exchange, { error: unknown }>()
  const environment = 'staging'
  const sharedRoutes: Route[] = [
    ...healthRoutes({ check: async () => {} }, state),
    ...documentRoutes({ environment, baseUrls: {}, minStability: 'experimental', more: sandboxOperations }),
    ...referenceRoutes([], undefined),
    ...consoleRoutes({ environment, observer, isSandbox: true }),
    ...guideRoutes(),
  ]

  const filePlaces = openPlaces(maxFiles, maxFileMs)
  function beginFile(shop: string, { request: { startedAt }, response: { outgoing } }: Exchange): void {
    const lateMs = () => performance.now() - startedAt
    const leave = filePlaces.take(shop, { lateMs, cut: () => outgoing.destroy() })
    if (leave === undefined) throw unavailable('Too many seeds and snapshots are in use; try again.')
    onceClosed(outgoing, leave)
  }

  const beginDelivery = deliveryLimit(options.maxDeliveries ?? maxDeliveriesOfAllShops, ' of all shops')
  const shops = shopRegistry({
    now,
    maxShops: options.maxShops ?? maxShops,
    open: (name, refuseGrowth) =>
      openShop({
        name,
        images,
        firstBugs: bugs,
        observer,
        cache,
        refuseGrowth,
        sharedRoutes,
        beginFile: (exchange) => beginFile(name, exchange),
        beginDelivery: () => beginDelivery(name),
        loadMcp,
      }),
  })

  /** For requests without a shop: pages and documents, and the refusals of everything else. */
  const door = openContents({
    storage: openInMemory({ image: images.empty, clock: Date.now }),
    clock: Date.now,
    observer,
    cache,
    ownKey: undefined,
    routes: sharedRoutes,
    loadMcp,
    change: (gates) => ({
      ...gates,
      authenticate(exchange) {
        if (!exchange.findings.requiresKey || isPreflight(exchange.request)) return
        const refusal = refusals.get(exchange)
        if (refusal !== undefined) throw refusal.error
        challenge(exchange)
        throw exchange.findings.route?.operation?.credential === 'invitation' ? noInvitation() : unauthorized()
      },
    }),
  })

  function shopOf(exchange: Exchange): Shop | undefined {
    const { headers } = exchange.request
    const name = shopNameIn(headers)
    if (name !== undefined) return shops.get(name)
    const isSingle = headers.authorization !== undefined && headers.repeated?.has('authorization') !== true
    const hash = isSingle ? hashOf(headers.authorization) : undefined
    return (hash === undefined ? undefined : shops.withKey(hash)) ?? wrongShop(exchange.request)
  }

  /**
   * A wrong shop may take its key from where no key is looked for. It may also let requests without its key in, so there
   * is one that gets them all.
   */
  function wrongShop(request: ReceivedRequest): Shop | undefined {
    const names = [...misplacedNames(request), firstShop]
    if (bugs.bugs.length > 0) return shops.get(names[0] as string)
    for (const name of names) {
      const shop = shops.withBugs(name)
      if (shop !== undefined) return shop
    }
    return undefined
  }

  const answer: Answer = (exchange: Exchange, deliver?: Deliver) => {
    let shop: Shop | undefined
    try {
      shop = shopOf(exchange)
    } catch (error) {
      refusals.set(exchange, { error })
    }
    exchange.response.headers[shopHeader] = shop?.name ?? noShop
    ;(shop ?? door).answer(exchange, deliver)
  }

  const maintenance = setInterval(() => {
    shops.maintain((error) => observer.failed(error))
  }, maintenanceIntervalMs).unref()

  return createApp({
    answer,
    site: siteOf(undefined, false, openByteBudget()),
    cache,
    observer,
    state,
    headersOf: (exchange) => ({ [shopHeader]: exchange?.response.headers[shopHeader] ?? noShop }),
    streamLagEvents: async () => 0,
    endLongRequests() {
      clearInterval(maintenance)
      shops.close()
      door.end('stopping')
    },
  })
}
