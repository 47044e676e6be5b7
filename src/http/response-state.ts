import type { ServerResponse } from 'node:http'
import type { ByteBudget, Reservation } from '../inventory/byte-budget.ts'
import type { PetStoreError } from '../inventory/errors.ts'
import { onceClosed } from './request/once-closed.ts'

/** Who answers a request: the operation, or the server, before the request is complete. */
type Owner = 'operation' | 'refusal'

/** How a request is answered: by whom, with which headers beside those of the reply, and within which memory. */
export class ResponseState {
  /** Where the reply is written. */
  readonly outgoing: ServerResponse
  /** Every response has them, errors too. */
  readonly headers: Record<string, string> = {}
  /** Larger texts are of no use to the client: they are refused before they are read. */
  readonly maxTextBytes: number
  /** The bytes of the response are shared and limited elsewhere. `send` knows it. */
  isShared = false
  private readonly budget: ByteBudget
  private held: Reservation | undefined
  private owner: Owner | undefined = undefined
  private varyNames: string | undefined = undefined
  private isLast = false
  private bodyFault: AbortController | undefined = undefined

  constructor(outgoing: ServerResponse, budget: ByteBudget, held?: Reservation, maxTextBytes = Infinity) {
    this.outgoing = outgoing
    this.budget = budget
    this.held = held
    this.maxTextBytes = maxTextBytes
  }

  /**
   * Claims the request. The first claim stands, so what was refused is never carried out, whatever arrives later, and
   * what is being carried out is never refused. Nothing may be stored for a request before its operation has claimed it.
   */
  claim(by: Owner): boolean {
    return (this.owner ??= by) === by
  }

  get isRefused(): boolean {
    return this.owner === 'refusal'
  }

  get vary(): string | undefined {
    return this.varyNames
  }

  /** Adds each name once, although a handler may be repeated. */
  addVary(names: string): void {
    const known = this.varyNames?.split(', ') ?? []
    this.varyNames = [...known, ...names.split(', ').filter((name) => !known.includes(name))].join(', ')
  }

  /** Ends the connection with this response. */
  closeConnection(): void {
    this.isLast = true
  }

  get closesConnection(): boolean {
    return this.isLast
  }

  /** What is in memory for the response, until it was sent or its connection ended. Small ones reserve nothing. */
  reservationOf(keyId = ''): Reservation {
    if (this.held !== undefined) return this.held
    const reservation = (this.held = this.budget.open(keyId))
    onceClosed(this.outgoing, () => reservation.end())
    return reservation
  }

  get reservedBytes(): number {
    return this.held?.bytes ?? 0
  }

  /**
   * Exempts the request from the time limit for its body: its operation reads the body itself and has a limit of its
   * own. The signal is aborted, with an error for the client, if the rest of the body cannot be read.
   */
  allowSlowBody(): AbortSignal {
    return (this.bodyFault ??= new AbortController()).signal
  }

  /** Also after a fault of the body, which the operation gets when it reads. */
  get allowsSlowBody(): boolean {
    return this.bodyFault !== undefined
  }

  /** Tells the operation that reads the body why the rest cannot be read. It may not have begun yet. */
  reportBodyFault(fault: PetStoreError): void {
    ;(this.bodyFault ??= new AbortController()).abort(fault)
  }

  /** The response to a request within this one: the same client waits for it, and what it needs is reserved for both. */
  inner(keyId: string | undefined, maxTextBytes: number): ResponseState {
    return new ResponseState(this.outgoing, this.budget, this.reservationOf(keyId), maxTextBytes)
  }
}
