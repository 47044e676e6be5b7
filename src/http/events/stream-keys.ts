import { nextLoopTick } from '../../inventory/loop-steps.ts'
import { type ApiKey, type Keys, keyState } from '../../inventory/keys.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Storage } from '../../inventory/storage.ts'
import type { StreamResponse } from './stream-response.ts'

type Stream = Pick<StreamResponse, 'end'>

/** The open streams by key. A stream ends within a second of its key, wherever the key was revoked. */
export interface StreamKeys {
  countOf(key: ApiKey): number
  add(key: ApiKey, stream: Stream): void
  delete(key: ApiKey, stream: Stream): void
}

export interface StreamKeysOptions {
  keys: Keys
  version: Storage['version']
  clock: Clock
  /** A key from the settings, which is not stored and does not expire. */
  ownKey: ApiKey | undefined
  /** Called repeatedly for every key with a stream. */
  keyUsed: (key: ApiKey, at: number) => void
}

interface Entry {
  /** The key at the last lookup; undefined if it no longer exists. */
  key: ApiKey | undefined
  streams: Set<Stream>
}

const checkIntervalMs = 400
const maxLookUp = 500

/** Looks up each key once for all its streams, and only after a commit. */
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
      // A failed lookup is repeated next time.
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
      await nextLoopTick()
    }
  }

  return {
    countOf: ({ id }) => entries.get(id)?.streams.size ?? 0,
    add(key, stream) {
      const entry = entries.get(key.id) ?? { key, streams: new Set() }
      entries.set(key.id, entry)
      entry.streams.add(stream)
      // The key may have been revoked since its check at the gate.
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
