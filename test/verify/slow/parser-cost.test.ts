import { test } from 'node:test'
import { jsonOf } from '../../../verify/src/shop/exchange.ts'
import { assertLinear } from '../../support/cpu-cost.ts'

test('many small values, a long string or great depth are read in linear time', async () => {
  for (const [start, part, end] of [
    ['[', '1,', '1]'],
    ['"', String.raw`\"`, '"'],
    ['', '[', ''],
  ] as const) {
    const read = (count: number) =>
      jsonOf({ status: 200, headers: [], body: Buffer.from(`${start}${part.repeat(count)}${end}`) })
    await assertLinear(250_000, read, `reading ${part} `)
  }
})
