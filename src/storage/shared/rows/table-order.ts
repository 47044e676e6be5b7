import { type Kind, keyColumnsOf } from '../../../inventory/snapshot.ts'

/**
 * SQL for the rows of a table in the order of a snapshot: by key, API keys in insertion order. `insertion` is the column
 * of an engine that has that order.
 */
export function tableOrder(insertion: string, parameter: (number: number) => string) {
  return {
    /** The ORDER BY columns. */
    orderOf: (kind: Kind, direction: '' | 'DESC' = ''): string =>
      (kind === 'api_keys' ? [insertion] : keyColumnsOf(kind)).map((column) => `${column} ${direction}`).join(', '),

    /** Whether a row follows the key in the parameters. */
    isAfter(kind: Kind): string {
      const columns = keyColumnsOf(kind)
      const values = columns.map((_column, index) => parameter(index + 1)).join(', ')
      if (kind === 'api_keys') return `${insertion} > (SELECT ${insertion} FROM api_keys WHERE id = ${values})`
      return `(${columns.join(', ')}) > (${values})`
    },
  }
}
