import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type BulkFilter, CallError } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { formatCount, plural } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { continueRun, type Forecast, forecast, type MatchingRun, newRun } from '../../state/bulk-matching.ts'
import { bulkActions, type BulkKind, bulkVerbs, useBulkFields } from './bulk-fields.tsx'
import { FirstNames, useTypedNumber } from './bulk-number.tsx'

/** All animals that match the filters of the list. */
export interface Matching {
  filter: BulkFilter
  /** Undefined if it is not known: a search counts nothing. */
  count: number | undefined
}

interface BulkMatchingProps {
  kind: BulkKind
  matching: Matching
  onClose: () => void
}

/** Asks what to do with all animals that match, does it part by part, and says what became of them. */
export function BulkMatching({ kind, matching: { filter, count }, onClose }: BulkMatchingProps): VNode {
  const [run, setRun] = useState<MatchingRun>()
  const isStopped = useRef(false)
  const [isStopping, setStopping] = useState(false)
  // Nothing goes on out of sight, nor in the shop of the next sign-in.
  useEffect(() => () => void (isStopped.current = true), [])
  const [expected, setExpected] = useState<Forecast>()
  const [isNewNumber, setNewNumber] = useState(false)
  const counting = useAction(async (signal: AbortSignal) => {
    const counted = await forecast(filter, signal)
    if (!signal.aborted) setExpected(counted)
  })
  const left = useRef(new AbortController())
  useEffect(() => {
    void counting.run(left.current.signal)
    return () => left.current.abort()
  }, [])
  const total = expected === undefined || expected.more ? (count ?? expected?.matching) : expected.matching
  const number = useTypedNumber(kind === 'delete' ? (total ?? 0) : 0)
  const working = useAction(async () => {
    const started = run ?? (number.isGiven() ? asked() : undefined)
    if (started === undefined) return
    isStopped.current = false
    setStopping(false)
    if (run === undefined && (await hasNewNumber())) return
    if (isStopped.current) return
    setRun(started)
    await continueRun(started, setRun, () => isStopped.current)
  })
  const { isRunning, error } = working
  const { fields, changeOf } = useBulkFields(kind, run !== undefined)
  const animals =
    total === undefined ? 'all animals that match' : animalsOf(total, count === undefined && expected?.more)
  const title = `${kind === 'delete' ? 'Delete' : 'Change'} ${animals}`
  const isDone = run?.isDone === true

  function asked(): MatchingRun | undefined {
    const change = changeOf()
    return change === undefined ? undefined : newRun(filter, change, expected?.cursor)
  }
  /** Others may have changed animals while the question stood: then it is asked again. What they add is left out. */
  async function hasNewNumber(): Promise<boolean> {
    const now = await forecast(filter, left.current.signal, expected?.cursor)
    const isNew = now.matching !== expected?.matching || now.more !== expected.more
    setExpected(now)
    setNewNumber(isNew)
    return isNew
  }
  function stop(): void {
    isStopped.current = true
    setStopping(true)
  }
  const close = () => !isRunning && onClose()
  return (
    <Dialog label={title} className="confirm" onClose={close}>
      <h2>{title}</h2>
      <form
        class="order-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void working.run()
        }}
      >
        {run === undefined && (
          <>
            <p role="status">
              {expected === undefined
                ? counting.error === undefined && 'Counting the animals…'
                : (isNewNumber ? 'The number has changed meanwhile. ' : '') +
                  `All that match the filters, on all pages: ${animals}. This cannot be undone.`}
            </p>
            {expected !== undefined && <FirstNames names={expected.names} count={expected.matching} />}
            <ErrorNotice error={counting.error} retry={() => void counting.run(left.current.signal)} />
            {fields}
            {expected !== undefined && number.field}
          </>
        )}
        {isRunning && <progress max={count} value={count && run && doneOf(run)} aria-label="Progress" />}
        <p role="status" class="note">
          {run !== undefined && summaryOf(run, kind)}
          {run !== undefined && !isRunning && !isDone && ` ${restText(error)}`}
        </p>
        {run !== undefined && run.refusals.length > 0 && <Refusals run={run} />}
        <ErrorNotice error={error} />
        <div class="actions">
          {isRunning ? (
            <Button isDisabled={isStopping} onClick={stop}>
              {isStopping ? 'Stopping…' : 'Stop'}
            </Button>
          ) : (
            <Button isDisabled={false} onClick={close}>
              {run === undefined ? 'Cancel' : 'Close'}
            </Button>
          )}
          {!isDone && (
            <Button
              className={kind === 'delete' ? 'button danger' : 'button primary'}
              isDisabled={isRunning || (run === undefined && !expected?.matching)}
            >
              {run === undefined ? bulkActions[kind] : 'Go on'}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function animalsOf(count: number, isMore = false): string {
  return `${isMore ? 'more than ' : ''}${plural(count, 'animal', 'animals')}`
}

/** What became of the animals that no response was about. */
function restText(error: unknown): string {
  return error instanceof CallError && error.mayHaveSucceeded
    ? 'Up to 1,000 more may have been changed. Go on to find out.'
    : 'The rest stays as it is.'
}

function doneOf({ changed, unchanged, refused }: MatchingRun): number {
  return changed + unchanged + refused
}

function summaryOf({ changed, unchanged, refused }: MatchingRun, kind: BulkKind): string {
  const parts = [
    `${plural(changed, 'animal was', 'animals were')} ${bulkVerbs[kind]}`,
    ...(unchanged > 0 ? [`${formatCount(unchanged)} had that already`] : []),
    ...(refused > 0 ? [`${formatCount(refused)} stayed as before`] : []),
  ]
  return `${parts.join(', ')}.`
}

function Refusals({ run: { refused, refusals } }: { run: MatchingRun }): VNode {
  return (
    <div class="failures" role="alert">
      <p>{refused > refusals.length ? `The first ${refusals.length} that stayed:` : 'Those that stayed:'}</p>
      <ul tabindex={0} aria-label="Animals that stayed as before">
        {refusals.map(({ id, message }) => (
          <li key={id}>
            Animal {id}: {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
