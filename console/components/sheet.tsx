import type { ComponentChildren, VNode } from 'preact'
import { CloseButton } from './button.tsx'
import { useRoomForPanes } from '../state/room.ts'
import { Dialog } from './dialog.tsx'

interface SheetProps {
  title: string
  label: string
  onClose: () => void
  children: ComponentChildren
}

/** A dialog at the side of the list that it was opened from. On a wide screen both can be used. */
export function Sheet({ title, label, onClose, children }: SheetProps): VNode {
  return (
    <Dialog label={label} className="sheet" onClose={onClose} isPane={useRoomForPanes()}>
      <div class="dialog-head">
        <h2 dir="auto">{title}</h2>
        <CloseButton onClose={onClose} />
      </div>
      {children}
    </Dialog>
  )
}
