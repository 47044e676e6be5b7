import { unavailable } from '../../inventory/errors.ts'
import * as grouping from '../shared/grouping-writer.ts'
import { isTransient } from './result-codes.ts'
import type { WriteFailure, WriteName, WriteRequest, WriteResult, Writes } from './writes.ts'

/** What the engine writes through. */
export interface Writer extends grouping.GroupingWriter<WriteRequest, WriteResult> {
  /** Resolves once the write is on disk. */
  write<Name extends WriteName>(name: Name, input: Parameters<Writes[Name]>[0]): Promise<ReturnType<Writes[Name]>>
}

export type Committer = grouping.Committer<WriteRequest, WriteResult>

/** Writes in groups, through whatever commits them. */
export function groupingWriter(committer: Committer): Writer {
  const writer = grouping.groupingWriter(committer, { refusal })
  return {
    ...writer,
    async write(name, input) {
      const result = await writer.perform([name, input])
      if ('failure' in result) throw toError(result.failure)
      return result.value as never
    },
  }
}

function refusal(message: string, cause?: Error): WriteResult {
  return { failure: { message, unavailable: true, cause: cause?.message } }
}

// A full disk or a held lock passes; anything else SQLite or we refuse is a bug and must look like one.
function toError({ message, sqliteCode: code, unavailable: refused, cause }: WriteFailure): Error {
  if (refused) return unavailable(message, cause === undefined ? undefined : new Error(cause))
  const error = new Error(message)
  return isTransient(code) ? unavailable('The change could not be stored right now; try again.', error) : error
}
