import { type CreatedKey, type CurrentInvitation, PetStore } from '../../client/src/index.ts'
import { failureOf } from '../api/failure.ts'
import { clientOptions } from '../api/service.ts'
import { signIn } from './session.ts'
import { createSessionStore, createStore, useStore } from './store.ts'
import { tabStorage } from './tab-storage.ts'

// before-paint.ts knows both.
const prefix = '#invitation='
const storageKey = 'petstore-invitation'
/** Far more characters than a token has, and few enough for a header. */
const maxTokenLength = 500

/** An invitation whose link was opened. */
export type OpenedInvitation =
  | { state: 'open'; token: string; said?: CurrentInvitation }
  /** Its key was made, and is not signed in yet. */
  | { state: 'accepted'; key: CreatedKey }
  /** It was used or taken back, or has expired, or its link is damaged. */
  | { state: 'refused' }

const opened = createStore<OpenedInvitation | undefined>(undefined)
/** Ends with the session: whoever signs in next in this tab must not see it. */
const newKey = createSessionStore<CreatedKey | undefined>(undefined)

/** Undefined if none was opened, or it was left. */
export function useOpenedInvitation(): OpenedInvitation | undefined {
  return useStore(opened)
}

/** The key that was made for this person, to be shown once. */
export function useNewKey(): CreatedKey | undefined {
  return useStore(newKey)
}

export function forgetNewKey(): void {
  newKey.set(undefined)
}

/** Takes an invitation from the address, now and later. Nothing is accepted: programs that check mails open links too. */
export function startInvitation(): void {
  takeFromAddress()
  addEventListener('hashchange', takeFromAddress)
  const token = tabStorage.get(storageKey)
  if (token !== undefined && opened.get() === undefined) openInvitation(token)
}

/** Shows the invitation, and who invites as soon as the service says it. Without an answer it can be accepted, too. */
function openInvitation(token: string): void {
  opened.set({ state: 'open', token })
  const isShown = () => {
    const now = opened.get()
    return now?.state === 'open' && now.token === token
  }
  ofToken(token)
    .current()
    .then(
      (said) => isShown() && opened.set({ state: 'open', token, said }),
      (error: unknown) => isShown() && failureOf(error).code === 'unauthorized' && refuse(),
    )
}

function ofToken(token: string) {
  return new PetStore({ ...clientOptions(), apiKey: token }).invitations
}

function refuse(): void {
  tabStorage.remove(storageKey)
  opened.set({ state: 'refused' })
}

function takeFromAddress(): void {
  if (!location.hash.startsWith(prefix)) return
  const token = location.hash.slice(prefix.length)
  // The token must not stay in the history or in a bookmark, and must survive a reload.
  history.replaceState(null, '', location.pathname + location.search)
  if (token === '' || token.length > maxTokenLength) {
    leaveInvitation()
    return opened.set({ state: 'refused' })
  }
  tabStorage.set(storageKey, token)
  openInvitation(token)
}

/** Forgets the invitation, accepted or not. */
export function leaveInvitation(): void {
  tabStorage.remove(storageKey)
  opened.set(undefined)
}

/** Makes the key of the invitation and signs in with it. After a failure, a second call goes on where it stopped. */
export async function acceptInvitation(): Promise<void> {
  const invitation = opened.get()
  if (invitation === undefined || invitation.state === 'refused') return
  const key = invitation.state === 'open' ? await redeem(invitation.token) : invitation.key
  if (key === undefined) return
  await signIn(key.key)
  newKey.set(key)
  opened.set(undefined)
}

async function redeem(token: string): Promise<CreatedKey | undefined> {
  try {
    const key = await ofToken(token).redeem()
    opened.set({ state: 'accepted', key })
    tabStorage.remove(storageKey)
    return key
  } catch (error) {
    if (failureOf(error).code !== 'unauthorized') throw error
    refuse()
    return undefined
  }
}
