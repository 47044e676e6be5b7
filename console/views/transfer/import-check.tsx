import type { VNode } from 'preact'
import type { EarlierImport } from '../../../client/src/index.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { formatCount, formatTime, plural, shortName } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import type { useCheck } from '../../state/import/use-check.ts'
import type { RejectedLine } from '../../state/import/rejected-rows.ts'

interface ImportCheckProps {
  check: ReturnType<typeof useCheck>
  /** The number of rows. */
  count: number
  /** Categories that the file names and the shop lacks. */
  newCategories: readonly string[]
  createCategories: boolean
  onCreateCategories: (isWanted: boolean) => void
}

/** More are a sign that another column was taken for the categories. The service makes no more by one import. */
export const maxNewCategories = 1_000
const maxNames = 12

/** What the import would do, as the service said. */
export function ImportCheck(props: ImportCheckProps): VNode {
  const { check, count, newCategories, createCategories, onCreateCategories } = props
  const { result, done, error, retry } = check
  const isTooMany = newCategories.length > maxNewCategories
  return (
    <section class="import-check" aria-label="Check">
      <p role="status">
        {result !== undefined
          ? `${formatCount(result.ready)} ready, ${plural(result.rejected, 'problem', 'problems')}` +
            (createCategories && newCategories.length > 0 ? `, ${newOnes(newCategories.length)}.` : '.')
          : error === undefined && `Checking: ${formatCount(done)} of ${plural(count, 'row', 'rows')}`}
      </p>
      {result === undefined && error === undefined && <progress max={count} value={done} aria-label="Check" />}
      <ErrorNotice error={error} retry={retry} />
      {result?.earlier !== undefined && (
        <Earlier {...result.earlier} part={result.repeated < result.ready ? result.repeated : undefined} />
      )}
      {isTooMany ? (
        <p class="note fault">
          The file has {newOnes(newCategories.length)}. An import makes at most {formatCount(maxNewCategories)}. Is it
          the right column?
        </p>
      ) : (
        newCategories.length > 0 && (
          <label class="check-line">
            <input
              type="checkbox"
              checked={createCategories}
              onChange={({ currentTarget }) => onCreateCategories(currentTarget.checked)}
            />
            <span>
              Create {newCategories.length === 1 ? 'this category' : 'these categories'}: {namesOf(newCategories)}
            </span>
          </label>
        )
      )}
      {result !== undefined && <RejectedList label="Problems" rejects={result.rejects} count={result.rejected} />}
    </section>
  )
}

interface EarlierProps extends EarlierImport {
  /** How many of the animals it was; undefined if all. An import may have been stopped, or its page closed. */
  part: number | undefined
}

/** A warning: to import them twice may be meant. */
function Earlier({ at, keyname, part }: EarlierProps): VNode {
  const which = part === undefined ? 'The same animals' : `${formatCount(part)} of these animals`
  return (
    <div class="error-notice" role="alert">
      <Icon name="warning" />
      <p>
        {which} were imported before: {formatTime(at)}, by <bdi>{shortName(keyname)}</bdi>. Import them now, and the
        shop has them twice.
      </p>
    </div>
  )
}

function newOnes(count: number): string {
  return plural(count, 'new category', 'new categories')
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(shortName).join(', ')
  return names.length > maxNames ? `${shown} and others` : shown
}

interface RejectedListProps {
  label: string
  /** The first ones. */
  rejects: readonly RejectedLine[]
  /** Of all. */
  count: number
}

/** Nothing without rejected rows. */
export function RejectedList({ label, rejects, count }: RejectedListProps): VNode | null {
  if (rejects.length === 0) return null
  return (
    <div class="failures">
      <ul tabindex={0} aria-label={label}>
        {rejects.map(({ line, message }) => (
          <li key={line}>
            Line {line}: {message}
          </li>
        ))}
      </ul>
      {count > rejects.length && <p class="note">These are the first {formatCount(rejects.length)}.</p>}
    </div>
  )
}
