import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { formatCount, plural } from '../../components/format.ts'
import type { Choice } from '../../state/choice.ts'
import { useMay } from '../../state/session.ts'
import { BulkDialog, type BulkKind } from './bulk-dialog.tsx'

interface BulkBarProps {
  choice: Choice
  /** The animals of the open page. */
  shown: readonly Pet[]
  onSettled: () => void
}

/** What can be done with the chosen animals. It stays in sight while the list is scrolled. */
export function BulkBar({ choice: { chosen, choose }, shown, onSettled }: BulkBarProps): VNode {
  const may = useMay()
  const elsewhere = chosen.size - shown.filter(({ id }) => chosen.has(String(id))).length
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
      <p role="status">
        {plural(chosen.size, 'animal', 'animals')} chosen
        {elsewhere > 0 && `, ${formatCount(elsewhere)} on other pages`}
      </p>
      {may('updatePet') && action('status', 'Change status…')}
      {may('updatePet') && action('category', 'Change category…')}
      {may('deletePet') && action('delete', 'Delete…', 'plain danger-text')}
      <button type="button" class="button small plain" onClick={() => choose([])}>
        Choose none
      </button>
      {kind !== undefined && <BulkDialog kind={kind} pets={[...chosen.values()]} onClose={onClose} />}
    </section>
  )
}
