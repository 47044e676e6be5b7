import { encodeOrder, type Order, orderMembers } from '../contract/order.ts'
import type { Caller } from '../inventory/caller.ts'
import type { OrderQuery, Orders } from '../inventory/orders.ts'
import { type EncodedPart, encodeFile } from './encode-file.ts'
import { byteOrderMark, type CsvOptions, lineWriter } from './formats/csv.ts'

const columns = Object.keys(orderMembers) as (keyof Order)[]

export interface EncodeOrdersOptions {
  filter: OrderQuery
  /** Orders per page. */
  pageSize: number
  /** Undefined for NDJSON. */
  csv?: CsvOptions | undefined
  caller?: Caller | undefined
}

/** The file of all matching orders, ascending by id, part by part. */
export function encodeOrders(
  orders: Orders,
  { filter, pageSize, csv, caller }: EncodeOrdersOptions,
): AsyncGenerator<EncodedPart> {
  const lineOf = lineWriter(csv?.separator)
  return encodeFile({
    header: csv === undefined ? '' : `${csv.isForSpreadsheet ? byteOrderMark : ''}${lineOf(columns)}`,
    read: (after) => orders.list(filter, pageSize, after, caller),
    encode:
      csv === undefined
        ? (order) => `${encodeOrder(order)}\n`
        : (order) => lineOf(columns.map((name) => String(order[name] ?? ''))),
  })
}
