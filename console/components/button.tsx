import type { ComponentChildren, VNode } from 'preact'
import { Icon } from './icons.tsx'

interface ButtonProps {
  className?: string
  isDisabled: boolean
  /** Without it, the button submits its form. */
  onClick?: () => unknown
  children: ComponentChildren
  'aria-label'?: string
  'aria-describedby'?: string | undefined
}

/** A button that ignores clicks while it is disabled, but keeps the focus: with `disabled` the browser would move it. */
export function Button({ className = 'button', isDisabled, onClick, children, ...others }: ButtonProps): VNode {
  return (
    <button
      type={onClick === undefined ? 'submit' : 'button'}
      class={className}
      aria-disabled={isDisabled ? 'true' : undefined}
      onClick={(event) => (isDisabled ? event.preventDefault() : onClick?.())}
      {...others}
    >
      {children}
    </button>
  )
}

export function CloseButton({ label = 'Close', onClose }: { label?: string; onClose: () => void }): VNode {
  return (
    <button type="button" class="icon-button" onClick={onClose} aria-label={label}>
      <Icon name="close" />
    </button>
  )
}
