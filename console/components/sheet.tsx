import type { ComponentChildren, VNode } from 'preact'
import { CloseButton } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface SheetProps {
  title: string
  label: string
  onClose: () => void
  children: ComponentChildren
}

/** A dialog at the side, beside the list that it was opened from. */
export function Sheet({ title, label, onClose, children }: SheetProps): VNode {
  return (
    <Dialog label={label} className="sheet" onClose={onClose}>
      <div class="dialog-head">
        <h2 dir="auto">{title}</h2>
        <CloseButton onClose={onClose} />
      </div>
      {children}
    </Dialog>
  )
}
