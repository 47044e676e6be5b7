import { type CreatedInvitation, type Invitation, isPetStoreError, type NewInvitation } from '../../client/src/index.ts'
import { service } from '../api/service.ts'
import { readKeysEveryMs } from './keys.ts'
import { type Live, useLive } from './live.ts'

/** All invitations that were not used, also those of others. */
export function useInvitations(isOffered: boolean): Live<Invitation[]> {
  const read = (signal: AbortSignal) => service().invitations.list({ limit: 100 }, { signal }).toArray()
  return useLive('invitations', (signal) => (isOffered ? read(signal) : Promise.resolve([])), {
    concerns: () => false,
    ...(isOffered && { everyMs: readKeysEveryMs }),
  })
}

export function createInvitation(invitation: NewInvitation): Promise<CreatedInvitation> {
  return service().invitations.create(invitation)
}

/** Resolves to false if it was gone already: it was taken back, or used. The keys tell. */
export async function removeInvitation({ id }: Invitation): Promise<boolean> {
  try {
    await service().invitations.delete(id)
    return true
  } catch (error) {
    if (!isPetStoreError(error, 'not_found')) throw error
    return false
  }
}
