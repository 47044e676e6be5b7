import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { AppliedFault, FaultRule } from '../../api/sandbox.ts'
import { Button } from '../../components/button.tsx'
import { faultChoices, faultText } from '../../state/fault-texts.ts'
import { useSignedIn } from '../../state/session.ts'

interface AddFaultProps {
  isDisabled: boolean
  add: (rule: FaultRule) => unknown
}

export function AddFault({ isDisabled, add }: AddFaultProps): VNode | null {
  const { document } = useSignedIn()
  const [fault, setFault] = useState<AppliedFault['fault']>('503')
  const [operation, setOperation] = useState('')
  const [seconds, setSeconds] = useState('')
  const [times, setTimes] = useState('')
  if (document === undefined) return null
  const { faults, operations } = faultChoices(document)

  function onSubmit(event: Event): void {
    event.preventDefault()
    if (isDisabled) return
    add({
      fault,
      ...(operation !== '' && { operation }),
      ...(seconds !== '' && { seconds: Number(seconds) }),
      ...(times !== '' && { times: Number(times) }),
    })
  }
  return (
    <form class="add-fault" onSubmit={onSubmit} noValidate>
      <div class="field">
        <label for="fault-name">Fault</label>
        <select
          id="fault-name"
          aria-describedby="fault-note"
          value={fault}
          onChange={({ currentTarget }) => setFault(currentTarget.value as AppliedFault['fault'])}
        >
          {faults.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="fault-operation">Operation</label>
        <select
          id="fault-operation"
          value={operation}
          onChange={({ currentTarget }) => setOperation(currentTarget.value)}
        >
          <option value="">All operations</option>
          {operations.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <NumberField id="fault-seconds" label="Seconds" text={seconds} onText={setSeconds} />
      <NumberField id="fault-times" label="Times" text={times} onText={setTimes} />
      <Button className="button primary" isDisabled={isDisabled}>
        Add the fault
      </Button>
      <p id="fault-note" class="note" aria-live="polite">
        {faultText(fault)}
      </p>
    </form>
  )
}

interface NumberFieldProps {
  id: string
  label: string
  text: string
  onText: (text: string) => void
}

function NumberField({ id, label, text, onText }: NumberFieldProps): VNode {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min="0"
        step="any"
        autocomplete="off"
        placeholder={label === 'Times' ? 'always' : 'usual'}
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </div>
  )
}
