import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Import } from '../../../client/src/index.ts'
import { formatTime, plural, shortName } from '../../components/format.ts'
import { useImports } from '../../state/import/undo.ts'
import { useMay } from '../../state/session.ts'
import { UndoImport } from '../transfer/undo-import.tsx'

const none = { items: [], hasMore: false }
/** Others are shown on request. */
const maxShown = 3

interface RecentImportsProps {
  /** Called after an undo. */
  onUndone: () => unknown
}

/** The latest imports, each with a way to take it back. Nothing if there are none. */
export function RecentImports({ onUndone }: RecentImportsProps): VNode {
  const may = useMay()
  const isOffered = may('listImports') && may('undoImport')
  const { result: { items, hasMore } = none, reload } = useImports(isOffered)
  const [areAllShown, setAllShown] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // As it was when it was opened: it leaves the list once it is undone.
  const [chosen, setChosen] = useState<Import>()
  async function close(): Promise<void> {
    setChosen(undefined)
    await reload()
    // The button that had the focus may be gone, and this list with it.
    if (document.activeElement === document.body) (heading.current ?? document.querySelector('h1'))?.focus()
  }
  const shown = areAllShown ? items : items.slice(0, maxShown)
  return (
    <>
      {items.length > 0 && (
        <section class="card recent-activity" aria-labelledby="recent-imports">
          <h2 ref={heading} id="recent-imports" tabindex={-1}>
            Imports
          </h2>
          <ul>
            {shown.map((one) => (
              <li key={one.id}>
                <p>
                  {plural(one.added, 'animal was', 'animals were')} imported
                  {one.rejected > 0 && `, ${plural(one.rejected, 'row was', 'rows were')} rejected`}
                </p>
                <span class="quiet">
                  by <bdi>{shortName(one.keyname)}</bdi>, <time datetime={one.at}>{formatTime(one.at)}</time>{' '}
                  {one.added > 0 && (
                    <button type="button" class="button small" onClick={() => setChosen(one)}>
                      Undo this import
                    </button>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {items.length > shown.length && (
            <p>
              <button type="button" class="button small" onClick={() => setAllShown(true)}>
                Show {plural(items.length - shown.length, 'older import', 'older imports')}
              </button>
            </p>
          )}
          {areAllShown && hasMore && <p class="quiet">Older imports are not shown.</p>}
        </section>
      )}
      {/* It stays when the last import has left the list. */}
      {chosen !== undefined && (
        <UndoImport
          importId={chosen.id}
          added={chosen.added}
          onSettled={() => {
            void reload()
            onUndone()
          }}
          onClose={() => void close()}
        />
      )}
    </>
  )
}
