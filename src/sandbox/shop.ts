import { createHash } from 'node:crypto'
import type { Gates, Route } from '../http/exchange.ts'
import type { ToolPath } from '../http/mcp.ts'
import { PetStoreError } from '../inventory/errors.ts'
import { type MeasuredSize, type MemoryStorage, openInMemory } from '../storage/sqlite/open-in-memory.ts'
import type { NameLineage } from '../storage/sqlite/writes/begin-lineage.ts'
import type { DeliveryObserver } from '../webhooks/delivering.ts'
import type { Dispatcher } from '../webhooks/dispatcher.ts'
import { type Contents, type ContentsOptions, openContents } from './contents.ts'
import type { Images } from './images.ts'
import { type Bug, combine } from './bugs/bug.ts'
import { hidden, type ShopBugs } from './bugs/shop-bugs.ts'
import { shopClock } from './clock.ts'
import { deliverFrom, notesTries } from './deliveries.ts'
import { faultRules } from './fault-rules.ts'
import { faultsOf } from './faults.ts'
import { openJournal } from './journal.ts'
import { refusalOfSize, shopLimits } from './limits.ts'
import { sandboxRoutes, type SandboxRoutesOptions } from './routes.ts'
import type { SavedShop } from './snapshot-lines.ts'
import { ownKeyOf } from './shop-key.ts'

export interface ShopOptions extends Pick<ContentsOptions, 'observer' | 'cache' | 'beginDelivery' | 'loadMcp'> {
  name: string
  images: Images
  /** The bugs that a shop begins with. */
  firstBugs: ShopBugs
  /** Why this shop must not grow by so many bytes although it may have them: others have too many. */
  refuseGrowth: (bytes: number) => string | undefined
  /** Pages and documents. */
  sharedRoutes: readonly Route[]
  beginFile: SandboxRoutesOptions['beginFile']
}

/** A shop of the sandbox. It is in memory, and keeps its name over resets. */
export interface Shop {
  readonly name: string
  /** The bytes of its database, and of those from before a reset that are still in use. */
  readonly bytes: number
  readonly isInUse: boolean
  readonly hasBugs: boolean
  answer: Contents['answer']
  /** Whether a key or an invitation of this hash was made in the shop. */
  hasKey(hash: string): boolean
  maintain(): Promise<void>
  close(): void
}

interface Opened {
  contents: Contents
  dispatcher: Dispatcher
  bytes: number
}

export function openShop({
  name,
  images,
  firstBugs,
  refuseGrowth,
  sharedRoutes,
  beginFile,
  ...options
}: ShopOptions): Shop {
  const clock = shopClock()
  const rules = faultRules()
  const journal = openJournal()
  const noteTry = notesTries(journal)
  const faults = faultsOf(rules, journal)
  const ownKey = ownKeyOf(name)
  let shopBugs = firstBugs
  let replacements = 0

  async function save(): Promise<SavedShop> {
    await current.contents.maintain()
    return { image: current.contents.storage.image(), clock: clock.saved() }
  }

  function replace({ image, clock: time }: SavedShop): void {
    const refusal = refuseGrowth(image.length - current.bytes)
    if (refusal !== undefined) throw new PetStoreError('conflict', refusal)
    clock.restore(time)
    rules.set([])
    journal.clear()
    shopBugs = firstBugs
    const before = current
    current = open(image)
    before.contents.end('reset')
    void before.dispatcher.stop()
    keepEarlier(before)
  }

  function changeBugs(bugs: readonly Bug[]): void {
    if (shopBugs.isHidden) throw hidden()
    shopBugs = { bugs, isHidden: false }
    const { contents } = current
    // The same database: requests that still run add to it what they acknowledge.
    current.contents = contentsOf(contents.storage)
    contents.handOver()
    keepEarlier({ ...current, contents, bytes: 0 })
  }

  const { failed } = options.observer
  const routes = [
    ...sandboxRoutes({
      images,
      save,
      replace,
      clock,
      faults: rules,
      journal,
      bugs: () => shopBugs,
      changeBugs,
      maintain: () => current.contents.maintain(),
      beginFile,
      failed,
    }),
    ...sharedRoutes,
  ]

  function open(image: Uint8Array): Opened {
    function refuseSize(size: MeasuredSize): string | undefined {
      const refusal = refusalOfSize(size) ?? refuseGrowth(size.allocatedBytes - opened.bytes)
      if (refusal === undefined) opened.bytes = size.allocatedBytes
      return refusal
    }
    const nameLineage = lineageNames(name, replacements++)
    const storage = openInMemory({ image, nameLineage, clock: clock.now, refuseSize })
    const dispatcher = deliverFrom(storage, triesOf(storage), clock.now)
    const opened = { contents: contentsOf(storage), dispatcher, bytes: image.length }
    return opened
  }

  function contentsOf(storage: MemoryStorage): Contents {
    const wrong = combine(shopBugs.bugs.map(({ make }) => make({ clock: clock.now, ownKey: ownKey.key })))
    const deliveryTried = triesOf(storage)
    const shown = { storage, clock: clock.now, ownKey, routes, deliveryTried, change, toolPath, wrong }
    return openContents({ ...options, ...shown })
  }

  /** Notes the tries of a database until a reset replaces it: a try may end later. */
  function triesOf(storage: MemoryStorage): DeliveryObserver['tried'] {
    return (...tried) => {
      if (current.contents.storage === storage) noteTry(...tried)
    }
  }

  /** Lets requests from before a reset get their responses, unless they hold more memory than a shop may have. */
  function keepEarlier(before: Opened): void {
    earlier = [...earlier.filter(({ contents }) => contents.isInUse), before]
    while (earlier.length > 1 && memoryOf(earlier) > shopLimits.bytes) earlier.shift()?.contents.cut()
  }

  const toolPath: ToolPath = {
    begin(tool, message) {
      journal.begin(tool)
      faults.beginTool(tool, message)
    },
    gates: (gates) => change(gates),
    deliver: faults.deliver,
  }
  // The body is noted as it was sent, before it is checked.
  const change = ({ checkInput, ...gates }: Gates): Gates => ({
    ...gates,
    note: (exchange) => journal.accepted(exchange),
    checkInput,
    fault: faults.gate,
  })
  let current = open(images.first)
  /** From before resets, with requests that still run. */
  let earlier: Opened[] = []

  return {
    name,
    get bytes() {
      return current.bytes + memoryOf(earlier.filter(({ contents }) => contents.isInUse))
    },
    get isInUse() {
      return current.contents.isInUse
    },
    get hasBugs() {
      return shopBugs.bugs.length > 0
    },
    answer(exchange, deliver = faults.deliver) {
      journal.begin(exchange)
      const { contents, dispatcher } = current
      // After the response: it may have changed the shop.
      exchange.response.outgoing.once('close', () => void dispatcher.tick())
      contents.answer(exchange, deliver)
    },
    hasKey: (hash) => current.contents.storage.hasCredential(hash),
    maintain: () => current.contents.maintain(),
    close() {
      void current.dispatcher.stop()
      current.contents.end('stopping')
    },
  }
}

/** For the ids of events. The same in every run, so that tests can expect them; another one after each reset. */
function lineageNames(shop: string, replacements: number): NameLineage {
  return (before = '') => createHash('sha256').update(`${shop} ${replacements} ${before}`).digest('hex').slice(0, 8)
}

/** What a shop costs beside its database. */
const edgeBytes = 1024 * 1024

function memoryOf(all: readonly Opened[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes + edgeBytes, 0)
}
