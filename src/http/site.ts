import type { ByteBudget } from '../inventory/byte-budget.ts'
import type { Exchange } from './exchange.ts'

/** What an exchange knows of its server. */
export interface Site {
  /** For the bytes that are in memory for clients. */
  readonly budget: ByteBudget
  /** The base address for links, and the address of the client. */
  baseOf(exchange: Exchange): string
  clientAddressOf(exchange: Exchange): string | undefined
}
