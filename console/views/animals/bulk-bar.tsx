import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { plural } from '../../components/format.ts'
import { useMay } from '../../state/session.ts'
import { BulkDialog, type BulkKind } from './bulk-dialog.tsx'

interface BulkBarProps {
  chosen: readonly Pet[]
  /** Replaces the choice. */
  choose: (pets: readonly Pet[]) => void
  onSettled: () => void
}

/** What can be done with the chosen animals. It stays in sight while the list is scrolled. */
export function BulkBar({ chosen, choose, onSettled }: BulkBarProps): VNode {
  const may = useMay()
  const [kind, setKind] = useState<BulkKind>()
  const action = (of: BulkKind, text: string, className = '') => (
    <button type="button" class={`button small ${className}`} onClick={() => setKind(of)}>
      {text}
    </button>
  )

  function onClose(left: readonly Pet[]): void {
    setKind(undefined)
    choose(left)
    onSettled()
  }
  return (
    <section class="bulk-bar" aria-label="Chosen animals">
      <p role="status">{plural(chosen.length, 'animal', 'animals')} chosen</p>
      {may('updatePet') && action('status', 'Change status…')}
      {may('updatePet') && action('category', 'Change category…')}
      {may('deletePet') && action('delete', 'Delete…', 'plain danger-text')}
      <button type="button" class="button small plain" onClick={() => choose([])}>
        Choose none
      </button>
      {kind !== undefined && <BulkDialog kind={kind} pets={chosen} onClose={onClose} />}
    </section>
  )
}
