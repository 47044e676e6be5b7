import type { Route } from '../http/exchange.ts'
import type { Gates } from '../http/shop-edge.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { MemorySize } from '../storage/sqlite/open-in-memory.ts'
import { type Contents, type ContentsOptions, openContents } from './contents.ts'
import type { Images } from './images.ts'
import { shopClock } from './clock.ts'
import { faultRules } from './fault-rules.ts'
import { faultsOf } from './faults.ts'
import { openJournal } from './journal.ts'
import { refusalOfSize } from './limits.ts'
import { sandboxRoutes, type SandboxRoutesOptions } from './routes.ts'
import type { SavedShop } from './snapshot.ts'
import { ownKeyOf } from './shop-key.ts'

export interface ShopOptions extends Pick<ContentsOptions, 'observer' | 'cache'> {
  name: string
  images: Images
  /** Why this shop must not grow by so many bytes although it may have them: others have too many. */
  refuseGrowth: (bytes: number) => string | undefined
  /** Pages and documents. */
  sharedRoutes: readonly Route[]
  beginFile: SandboxRoutesOptions['beginFile']
}

/** A shop of the sandbox. It is in memory, and keeps its name over resets. */
export interface Shop {
  readonly name: string
  /** The bytes of its database. */
  readonly bytes: number
  readonly isInUse: boolean
  answer: Contents['answer']
  /** Whether a key of this hash was made in the shop. */
  hasKey(hash: string): boolean
  maintain(): Promise<void>
  close(): void
}

export function openShop({ name, images, refuseGrowth, sharedRoutes, beginFile, ...options }: ShopOptions): Shop {
  const clock = shopClock()
  const rules = faultRules()
  const journal = openJournal()
  const faults = faultsOf(rules, journal)
  const ownKey = ownKeyOf(name)
  let bytes = 0

  function refuseSize(size: MemorySize): string | undefined {
    const refusal = refusalOfSize(size) ?? refuseGrowth(size.bytes - bytes)
    if (refusal === undefined) bytes = size.bytes
    return refusal
  }

  async function save(): Promise<SavedShop> {
    await contents.maintain()
    return { image: contents.storage.image(), clock: clock.saved() }
  }

  function replace({ image, clock: time }: SavedShop): void {
    const refusal = refuseGrowth(image.length - bytes)
    if (refusal !== undefined) throw new PetStoreError('conflict', refusal)
    const before = contents
    clock.restore(time)
    rules.set([])
    journal.clear()
    contents = open(image)
    before.end('reset')
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
      maintain: () => contents.maintain(),
      beginFile,
      failed,
    }),
    ...sharedRoutes,
  ]

  function open(image: Uint8Array): Contents {
    bytes = image.length
    return openContents({ ...options, image, clock: clock.now, ownKey, refuseSize, routes, change })
  }
  // The body is noted as it was sent, before it is checked.
  const change = ({ checkInput, ...gates }: Gates): Gates => ({
    ...gates,
    note: (exchange) => journal.accepted(exchange),
    checkInput,
    fault: faults.gate,
  })
  let contents = open(images.first)

  return {
    name,
    get bytes() {
      return bytes
    },
    get isInUse() {
      return contents.isInUse
    },
    answer(exchange, deliver = faults.deliver) {
      journal.begin(exchange)
      contents.answer(exchange, deliver)
    },
    hasKey: (hash) => contents.storage.keys.recall(hash) !== undefined,
    maintain: () => contents.maintain(),
    close: () => contents.end('stopping'),
  }
}
