import { unavailable } from '../../inventory/errors.ts'
import { groupingWriter } from '../shared/grouping-writer.ts'
import { type ReconnectingSession } from './reconnecting-session.ts'
import {
  commitGroup,
  type WriteInput,
  type WriteName,
  type WriteRequest,
  type WriteResult,
  type WriteValue,
} from './writes.ts'

/** What the engine writes through. */
export interface Writer {
  /** Resolves once the write is on disk. */
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteValue<Name>>
  /** Finishes what is waiting, then stops. */
  close(): Promise<void>
}

/**
 * Writes in groups on one connection. A second one would gain nothing: the transactions of all instances take turns.
 */
export function postgresWriter(link: ReconnectingSession): Writer {
  const { perform, close } = groupingWriter<WriteRequest, WriteResult>(
    { commit: (group) => link.use((session) => commitGroup(session, group)), close: () => link.close() },
    { refusal: (message, cause) => ({ error: unavailable(message, cause) }), failsTogether: true },
  )
  return {
    close,
    async write(name, input) {
      const result = await perform([name, input])
      if ('error' in result) throw result.error
      return result.value as never
    },
  }
}
