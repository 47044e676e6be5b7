import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ApiKey, type Keys, keyState } from '../../inventory/keys.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Storage } from '../../inventory/storage.ts'
import type { StreamResponse } from './stream-response.ts'

type Stream = Pick<StreamResponse, 'end'>

/** The open streams by their keys. A stream ends within a second of its key, wherever that was revoked. */
export interface StreamKeys {
  countOf(key: ApiKey): number
  add(key: ApiKey, stream: Stream): void
  delete(key: ApiKey, stream: Stream): void
}

export interface StreamKeysOptions {
  keys: Keys
  version: Storage['version']
  clock: Clock
  /** A key of the settings, which is in no storage and does not end. */
  ownKey: ApiKey | undefined
  /** Called for every key that has a stream, again and again. */
  keyUsed: (key: ApiKey, at: number) => void
}

interface Entry {
  /** As it was when last looked up; undefined once it is gone. */
  key: ApiKey | undefined
  streams: Set<Stream>
}

const checkIntervalMs = 400
const maxLookUp = 500

/** Looks up each key once, however many streams it has, and none while nothing was committed. */
export function streamKeys({ keys, version, clock, ownKey, keyUsed }: StreamKeysOptions): StreamKeys {
  const entries = new Map<string, Entry>()
  let checkedVersion = Number.NaN
  let isChecking = false
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      const current = version()
      if (current !== checkedVersion) {
        checkedVersion = current
        await lookUp([...entries.keys()].filter((id) => id !== ownKey?.id))
      }
    } catch {
      // What cannot be looked up now is looked up next time.
      checkedVersion = Number.NaN
    }
    isChecking = false
    const now = clock()
    for (const { key, streams } of entries.values()) {
      if (key === undefined || keyState(key, now) !== 'active') for (const stream of streams) stream.end('key')
      else if (key !== ownKey) keyUsed(key, now)
    }
  }

  async function lookUp(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += maxLookUp) {
      const some = ids.slice(start, start + maxLookUp)
      const found = new Map((await keys.findByIds(some)).map((key) => [key.id, key]))
      for (const id of some) {
        const entry = entries.get(id)
        if (entry !== undefined) entry.key = found.get(id)
      }
      await nextTurn()
    }
  }

  return {
    countOf: ({ id }) => entries.get(id)?.streams.size ?? 0,
    add(key, stream) {
      const entry = entries.get(key.id) ?? { key, streams: new Set() }
      entries.set(key.id, entry)
      entry.streams.add(stream)
      // It may have been revoked between its check at the gate and now.
      checkedVersion = Number.NaN
      timer ??= setInterval(() => void check(), checkIntervalMs).unref()
    },
    delete({ id }, stream) {
      const entry = entries.get(id)
      entry?.streams.delete(stream)
      if (entry?.streams.size === 0) entries.delete(id)
      if (entries.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
