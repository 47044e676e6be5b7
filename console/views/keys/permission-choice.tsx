import type { VNode } from 'preact'
import { type Permission, permissions } from '../../../src/contract/operation.ts'
import { ChoiceButtons } from '../../components/choices.tsx'

const texts: Record<Permission, string> = { read: 'Look', write: 'Change', admin: 'Manage keys' }
const choices = permissions.map((value) => ({ value, text: texts[value] }))

interface PermissionChoiceProps {
  chosen: Permission
  isDisabled: boolean
  onChoose: (permission: Permission) => void
}

/** What a new key may do. */
export function PermissionChoice(props: PermissionChoiceProps): VNode {
  return (
    <ChoiceButtons
      {...props}
      name="key-permission"
      label="May"
      choices={choices}
      hint="Each includes the one before."
    />
  )
}
