import type { VNode } from 'preact'
import { shortName } from '../../components/format.ts'
import { forgetNewKey, useNewKey } from '../../state/accept-invitation.ts'
import { permissionTexts } from '../../components/permission-texts.ts'
import { NewSecret } from './new-secret.tsx'

/** Shows the key of somebody who has accepted an invitation, once. */
export function OwnNewKey(): VNode | null {
  const made = useNewKey()
  if (made === undefined) return null
  return (
    <NewSecret title="Your key" secret={made.key} onClose={forgetNewKey}>
      You are signed in as <bdi>{shortName(made.name)}</bdi> and may {permissionTexts[made.permission].afterMay}. Keep
      the key where you keep your passwords: it signs you in the next time.
    </NewSecret>
  )
}
