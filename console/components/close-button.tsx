import type { VNode } from 'preact'
import { Icon } from './icons.tsx'

export function CloseButton({ label = 'Close', onClose }: { label?: string; onClose: () => void }): VNode {
  return (
    <button type="button" class="icon-button" onClick={onClose} aria-label={label}>
      <Icon name="close" />
    </button>
  )
}
