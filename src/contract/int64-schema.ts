import { Type } from './schema.ts'

/** An integer of 64 bits; see int64.ts. */
export const Int64 = Type.Unsafe<bigint>({ type: 'integer', format: 'int64' })
