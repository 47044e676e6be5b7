import type { service } from '../api/service.ts'

type Client = ReturnType<typeof service>

/** Reads by id: whoever wants what is being read for the same session waits for that read. */
export function sharedReads(): (client: Client, id: string, read: () => Promise<void>) => Promise<void> {
  const bySession = new WeakMap<Client, Map<string, Promise<void>>>()
  return (client, id, read) => {
    const reads = bySession.get(client) ?? new Map<string, Promise<void>>()
    bySession.set(client, reads)
    const reading = reads.get(id) ?? read().finally(() => reads.delete(id))
    reads.set(id, reading)
    return reading
  }
}
