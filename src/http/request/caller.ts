import type { ServerResponse } from 'node:http'
import { maxSmallResponse, type Reservation } from '../../inventory/byte-budget.ts'
import type { Caller, WaitLimit } from '../../inventory/caller.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { onceClosed } from './once-closed.ts'

/**
 * What a byte of a stored text may need while a page is made: two in memory, where one wide character makes all of them
 * wide, and six in JSON, which escapes control characters.
 */
const bytesPerTextByte = 8
/** A page that has little more than short names. */
const maxUnreservedText = maxSmallResponse / 2
/** Without the escapes. */
const bytesPerJsonByte = 3

/** Why a signal is aborted. */
const hasLeft = 'The client has left, or has its response.'

/** What a caller is known by. */
interface Keyed {
  readonly findings: { readonly key: ApiKey | undefined }
  readonly response: { readonly outgoing: ServerResponse; readonly maxTextBytes: number }
  readonly reservation: Reservation
}

/** The client that waits for a response. Clients with one key are one caller: they share their turns. */
export class RequestCaller implements Caller {
  readonly #exchange: Keyed
  #left: AbortController | undefined = undefined

  /** The request has passed authentication. */
  constructor(exchange: Keyed) {
    this.#exchange = exchange
  }

  get id(): string {
    return (this.#exchange.findings.key as ApiKey).id
  }

  // Made when a search asks for it: most reads do not.
  get signal(): AbortSignal {
    if (this.#left !== undefined) return this.#left.signal
    const controller = (this.#left = new AbortController())
    // With a reason: AbortController would make an error, and record where.
    onceClosed(this.#exchange.response.outgoing, () => controller.abort(hasLeft))
    return controller.signal
  }

  get waiting(): WaitLimit {
    return this.#exchange.reservation.waiting
  }

  tryReserve(textBytes: number): boolean {
    return !this.#isLarge(textBytes) || this.#exchange.reservation.tryResize(bytesPerTextByte * textBytes)
  }

  async reserve(textBytes: number, isJson = false): Promise<void> {
    if (!this.#isLarge(textBytes)) return
    await this.#exchange.reservation.resize(textBytes * (isJson ? bytesPerJsonByte : bytesPerTextByte))
  }

  /** Whether such texts need a reservation. */
  #isLarge(textBytes: number): boolean {
    if (textBytes > this.#exchange.response.maxTextBytes)
      throw new PetStoreError('payload_too_large', 'The result is too large: ask for fewer.')
    return textBytes > maxUnreservedText
  }
}
