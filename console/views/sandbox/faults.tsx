import type { VNode } from 'preact'
import type { AppliedFault, FaultRule } from '../../api/sandbox.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { plural } from '../../components/format.ts'
import { TableHead } from '../../components/table-head.tsx'
import { useAction } from '../../state/action.ts'
import { faultText } from '../../state/fault-texts.ts'
import { retryAll } from '../../state/online.ts'
import { rulesLeft } from '../../state/sandbox.ts'
import { AddFault } from './add-fault.tsx'
import type { SandboxPartProps } from './reset.tsx'

const columns = [
  { className: 'fault', text: 'Fault' },
  { className: 'operation', text: 'Of' },
  { className: 'applied', text: 'Applied' },
]

interface FaultsProps extends SandboxPartProps {
  faults: readonly AppliedFault[]
}

/** The rules by which requests go wrong. */
export function Faults({ sandbox, reload, faults }: FaultsProps): VNode {
  const changing = useAction(async (change: (rules: readonly AppliedFault[]) => readonly FaultRule[]) => {
    // Another client may have changed them since they were shown.
    await sandbox.replaceFaults(change(await sandbox.listFaults()))
    retryAll()
    await reload()
  })
  const { run, isRunning, error } = changing
  function remove(removed: AppliedFault): void {
    void run((all) => rulesLeft(all.toSpliced(indexOfRule(all, removed), 1)))
  }
  return (
    <section class="card" aria-labelledby="faults">
      <div class="card-head">
        <h2 id="faults">Faults</h2>
        {faults.length > 0 && (
          <Button className="button small" isDisabled={isRunning} onClick={() => run(() => [])}>
            Remove all
          </Button>
        )}
      </div>
      {faults.length === 0 ? (
        <p class="quiet">Requests are carried out as they should be.</p>
      ) : (
        <table class="fault-table">
          <caption class="visually-hidden">Faults</caption>
          <TableHead columns={columns} hasActions />
          <tbody>
            {faults.map((rule, index) => (
              <Row key={index} rule={rule} isDisabled={isRunning} remove={() => remove(rule)} />
            ))}
          </tbody>
        </table>
      )}
      <ErrorNotice error={error} />
      <AddFault isDisabled={isRunning} add={(rule) => run((all) => [...rulesLeft(all), rule])} />
      <p class="note">The first one that matches a request is applied. This view itself has no faults.</p>
    </section>
  )
}

interface RowProps {
  rule: AppliedFault
  isDisabled: boolean
  remove: () => void
}

function Row({ rule, isDisabled, remove }: RowProps): VNode {
  const { fault, operation = 'all operations', applied, times } = rule
  const isOver = times !== undefined && applied >= times
  return (
    <tr>
      <td class="fault">
        <b>{fault}</b> {detailsOf(rule)}
        <span class="quiet">{faultText(fault)}</span>
      </td>
      <td class="operation">{operation}</td>
      <td class="applied">
        {plural(applied, 'time', 'times')}
        {isOver && ', done'}
      </td>
      <td class="row-action">
        <Button
          className="button small"
          isDisabled={isDisabled}
          onClick={remove}
          aria-label={`Remove ${fault} of ${operation}`}
        >
          Remove
        </Button>
      </td>
    </tr>
  )
}

function detailsOf({ seconds, times, after, share }: FaultRule): string {
  return [
    seconds !== undefined && `${seconds} s`,
    times !== undefined && plural(times, 'time', 'times'),
    after !== undefined && `after ${after}`,
    share !== undefined && `${share * 100} %`,
  ]
    .filter(Boolean)
    .join(', ')
}

function indexOfRule(all: readonly AppliedFault[], { applied: _applied, ...removed }: AppliedFault): number {
  const text = JSON.stringify(removed)
  const index = all.findIndex(({ applied: _times, ...rule }) => JSON.stringify(rule) === text)
  return index === -1 ? all.length : index
}
