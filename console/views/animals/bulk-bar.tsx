import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { formatCount, plural } from '../../components/format.ts'
import { type Choice, hasAll } from '../../state/choice.ts'
import { useMay } from '../../state/session.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { BulkKind } from './bulk-fields.tsx'
import { BulkMatching, type Matching } from './bulk-matching.tsx'

interface BulkBarProps {
  choice: Choice
  /** The animals of the open page. */
  shown: readonly Pet[]
  /** Undefined if they cannot be changed at once, or are all on this page. */
  matching: Matching | undefined
  onSettled: () => void
}

/** What can be done with the chosen animals. It stays in sight while the list is scrolled. */
export function BulkBar({ choice: { chosen, choose }, shown, matching, onSettled }: BulkBarProps): VNode {
  const may = useMay()
  const elsewhere = chosen.size - shown.filter(({ id }) => chosen.has(String(id))).length
  // As they were when it was opened: the animals change, and leave the filter, while it works.
  const [task, setTask] = useState<{ kind: BulkKind; all: Matching | undefined; pets: readonly Pet[] }>()
  // Another choice is one of single animals.
  const [allAtChoice, setAllAtChoice] = useState<string>()
  const ids = [...chosen.keys()].join()
  useLayoutEffect(() => setAllAtChoice(undefined), [ids])
  const all = allAtChoice === ids ? matching : undefined
  const bar = useRef<HTMLElement>(null)
  const summary = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => (bar.current === null ? undefined : liftNotices(bar.current)), [chosen.size > 0])
  const action = (of: BulkKind, text: string, className = '') => (
    <button
      type="button"
      class={`button small ${className}`}
      onClick={() => setTask({ kind: of, all, pets: [...chosen.values()] })}
    >
      {text}
    </button>
  )

  function onClose(left: readonly Pet[]): void {
    setTask(undefined)
    setAllAtChoice(undefined)
    choose(left)
    onSettled()
  }
  return (
    <>
      {chosen.size > 0 && (
        <section ref={bar} class="bulk-bar" aria-label="Chosen animals">
          <p ref={summary} role="status" tabindex={-1}>
            {all === undefined ? plural(chosen.size, 'animal', 'animals') : `All${countOf(all)} animals that match`}{' '}
            chosen
            {all === undefined && elsewhere > 0 && `, ${formatCount(elsewhere)} on other pages`}
          </p>
          {matching !== undefined && all === undefined && hasAll(chosen, shown) && (
            <button
              type="button"
              class="button small"
              onClick={() => {
                // This button goes: the next Tab leads to what can be done.
                summary.current?.focus()
                setAllAtChoice(ids)
              }}
            >
              Choose all{countOf(matching)} that match
            </button>
          )}
          {may('updatePet') && action('status', 'Change status…')}
          {may('updatePet') && action('category', 'Change category…')}
          {may('deletePet') && action('delete', 'Delete…', 'plain danger-text')}
          <button type="button" class="button small plain" onClick={() => choose([])}>
            Choose none
          </button>
        </section>
      )}
      {task?.all !== undefined && <BulkMatching kind={task.kind} matching={task.all} onClose={() => onClose([])} />}
      {task !== undefined && task.all === undefined && (
        <BulkDialog kind={task.kind} pets={task.pets} onClose={onClose} />
      )}
    </>
  )
}

/** Tells the style sheet how high the bar is: notices are above it, and cover none of its buttons. */
function liftNotices(bar: HTMLElement): () => void {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--bulk-bar-height', `${bar.offsetHeight}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--bulk-bar-height')
  }
}

function countOf({ count }: Matching): string {
  return count === undefined ? '' : ` ${formatCount(count)}`
}
