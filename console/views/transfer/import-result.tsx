import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { plural } from '../../components/format.ts'
import { saveFile } from '../../state/download.ts'
import { encodeRejects, type ImportProgress } from '../../state/import-pets.ts'

const maxShown = 100

/** What became of an imported file. */
export function ImportResult({ progress, onClose }: { progress: ImportProgress; onClose: () => void }): VNode {
  const { added, rejects } = progress
  const result = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone.
  useEffect(() => result.current?.focus(), [])
  return (
    <>
      <p ref={result} tabindex={-1} role="status">
        {plural(added, 'animal was', 'animals were')} added. {plural(rejects.length, 'row was', 'rows were')} rejected.
      </p>
      {rejects.length > 0 && (
        <div class="failures">
          <ul tabindex={0} aria-label="Rejected rows">
            {rejects.slice(0, maxShown).map(({ line, message }) => (
              <li key={line}>
                Line {line}: {message}
              </li>
            ))}
          </ul>
          {rejects.length > maxShown && <p class="note">These are the first {maxShown}. The saved list has all.</p>}
        </div>
      )}
      <div class="actions">
        {rejects.length > 0 && (
          <button
            type="button"
            class="button"
            onClick={() => saveFile('rejected-rows.csv', new Blob([encodeRejects(rejects)], { type: 'text/csv' }))}
          >
            Save the list
          </button>
        )}
        <button type="button" class="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  )
}
