import type { Route } from '../http/exchange.ts'
import type { Clock } from '../inventory/clock.ts'
import type { MemorySize } from '../storage/sqlite/open-in-memory.ts'
import { type Contents, type ContentsOptions, openContents } from './contents.ts'
import { refusalOfSize } from './limits.ts'
import { ownKeyOf } from './shop-key.ts'

export interface ShopOptions extends Pick<ContentsOptions, 'observer' | 'cache'> {
  name: string
  image: Uint8Array
  /** Why this shop must not grow by so many bytes although it may have them: others have too many. */
  refuseGrowth: (bytes: number) => string | undefined
  /** Pages and documents. */
  sharedRoutes: readonly Route[]
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

export function openShop({ name, image, refuseGrowth, sharedRoutes, ...options }: ShopOptions): Shop {
  const clock: Clock = Date.now
  const ownKey = ownKeyOf(name)
  let bytes = 0

  function refuseSize(size: MemorySize): string | undefined {
    const refusal = refusalOfSize(size) ?? refuseGrowth(size.bytes - bytes)
    if (refusal === undefined) bytes = size.bytes
    return refusal
  }

  function open(from: Uint8Array): Contents {
    bytes = from.length
    return openContents({ ...options, image: from, clock, ownKey, refuseSize, routes: sharedRoutes })
  }
  const contents = open(image)

  return {
    name,
    get bytes() {
      return bytes
    },
    get isInUse() {
      return contents.isInUse
    },
    answer: (exchange, deliver) => contents.answer(exchange, deliver),
    hasKey: (hash) => contents.storage.keys.recall(hash) !== undefined,
    maintain: () => contents.maintain(),
    close: () => contents.end('stopping'),
  }
}
