import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { CurrentInvitation } from '../../client/src/index.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { formatTime, shortName } from '../components/format.ts'
import { Brand } from '../components/icons.tsx'
import { permissionTexts } from '../components/permission-texts.ts'
import { SecretField } from '../components/secret-field.tsx'
import { acceptInvitation, leaveInvitation, type OpenedInvitation } from '../state/accept-invitation.ts'
import { useAction } from '../state/action.ts'
import { useSession } from '../state/session.ts'
import { visibleText } from '../state/visible-text.ts'

/** The page of an invitation's link. It is accepted by a button: programs that check mails open links too. */
export function AcceptInvitation({ invitation }: { invitation: OpenedInvitation }): VNode {
  const accepting = useAction(acceptInvitation)
  const { state } = invitation
  const session = useSession()
  const user = session.state === 'in' ? session.name : undefined
  useEffect(() => {
    document.title = 'Invitation · Pet Store'
  }, [])

  function onSubmit(event: Event): void {
    event.preventDefault()
    if (state === 'refused') leaveInvitation()
    else void accepting.run()
  }
  return (
    <main class="sign-in">
      <form onSubmit={onSubmit} noValidate>
        <Brand />
        <h1>{titles[state]}</h1>
        <p class={state === 'refused' ? 'lead told' : 'lead'} role={state === 'refused' ? 'alert' : undefined}>
          {leads[state]}
        </p>
        {invitation.state === 'accepted' && <SecretField secret={invitation.key.key} />}
        {invitation.state === 'open' && invitation.said !== undefined && <Said {...invitation.said} />}
        {state === 'open' && user !== undefined && (
          <p class="lead">
            You are signed in as <bdi>{shortName(user)}</bdi> in this tab. If you accept, the new key takes its place.
          </p>
        )}
        <ErrorNotice error={accepting.error} />
        <Button className="button primary wide" isDisabled={accepting.isRunning}>
          {accepting.isRunning ? 'One moment…' : actions[state]}
        </Button>
        {state === 'open' && (
          <p class="aside">
            {user === undefined ? 'You have a key?' : 'It is not for you?'}{' '}
            <button type="button" class="button small plain" onClick={leaveInvitation}>
              {user === undefined ? 'Sign in with it' : 'Back to the shop'}
            </button>
          </p>
        )}
      </form>
    </main>
  )
}

/** Who invites, for what, and until when. */
function Said({ name, permission, invitedBy, expiresAt }: CurrentInvitation): VNode {
  return (
    <dl class="details">
      <div>
        <dt>For</dt>
        <dd>
          <bdi>{visibleText(name)}</bdi>
        </dd>
      </div>
      <div>
        <dt>Invited by</dt>
        <dd>
          <bdi>{visibleText(invitedBy)}</bdi>
        </dd>
      </div>
      <div>
        <dt>You may</dt>
        <dd>{permissionTexts[permission].afterMay}</dd>
      </div>
      <div>
        <dt>Accept it before</dt>
        <dd>{formatTime(expiresAt)}</dd>
      </div>
    </dl>
  )
}

const titles: Record<OpenedInvitation['state'], string> = {
  open: 'You are invited',
  accepted: 'Your key',
  refused: 'This invitation does not work',
}

const leads: Record<OpenedInvitation['state'], string> = {
  open: 'A colleague wants you to work with the animals and orders of this shop. You get a key of your own, which nobody else sees.',
  accepted: 'The invitation is accepted. Keep this key: it signs you in from now on.',
  refused:
    'It was used already, was taken back, or has expired: a link works once, for a day. Or a part of the link is missing. Ask an admin of the shop for another one. If nobody but you had the link, tell them that it was used.',
}

const actions: Record<OpenedInvitation['state'], string> = {
  open: 'Accept the invitation',
  accepted: 'Sign in',
  refused: 'Go on',
}
