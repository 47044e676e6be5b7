import type { CreatedKey, Key, NewKey, RotatedKey } from '../../client/src/index.ts'
import { service } from '../api/service.ts'
import { serviceNow } from '../api/service-clock.ts'
import { type Live, useLive } from './live.ts'
import { nameOwnKey } from './session.ts'

/** How often keys and invitations are read while they are shown: they make no events. */
export const readKeysEveryMs = 10_000

/** All keys, also those that others change. */
export function useKeys(): Live<Key[]> {
  return useLive('keys', (signal) => service().keys.list({ signal }), {
    concerns: () => false,
    everyMs: readKeysEveryMs,
  })
}

export function createKey(key: NewKey): Promise<CreatedKey> {
  return service().keys.create(key)
}

export async function renameKey({ id }: Key, name: string): Promise<void> {
  nameOwnKey(await service().keys.update(id, { name }))
}

/** The old key works for this many hours more. */
export function rotateKey({ id }: Key, graceHours: number): Promise<RotatedKey> {
  return service().keys.rotate(id, { replacedKeyExpiresAt: inHours(graceHours) })
}

export async function revokeKey({ id }: Key): Promise<void> {
  await service().keys.revoke(id)
}

/** By the clock of the service, which judges it. */
export function inHours(hours: number): string {
  return new Date(serviceNow() + hours * 3_600_000).toISOString()
}

/** The key that replaced this one, if it works: the service refuses to replace this one again. */
export function workingSuccessor({ replacedBy }: Key, keys: readonly Key[]): Key | undefined {
  return keys.find(({ id, state }) => id === replacedBy && state === 'active')
}

/** Whether another key that works has the same name, as after a replacement: the name alone does not tell which is meant. */
export function hasNamesake({ id, name }: Key, keys: readonly Key[]): boolean {
  return keys.some((other) => other.id !== id && other.name === name && other.state === 'active')
}

/** Whether the service refuses to revoke it, because no other admin key works as long. */
export function isLastAdmin(key: Key, keys: readonly Key[]): boolean {
  return (
    isActiveAdmin(key) && !keys.some((other) => other.id !== key.id && isActiveAdmin(other) && ends(other) >= ends(key))
  )
}

function isActiveAdmin({ permission, state }: Key): boolean {
  return permission === 'admin' && state === 'active'
}

function ends({ expiresAt }: Key): number {
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
}
