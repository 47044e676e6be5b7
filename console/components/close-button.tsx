import type { VNode } from 'preact'
import { Icon } from './icons.tsx'

export function CloseButton({ onClose }: { onClose: () => void }): VNode {
  return (
    <button type="button" class="icon-button" onClick={onClose} aria-label="Close">
      <Icon name="close" />
    </button>
  )
}
