import type { ComponentProps, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ClockChange } from '../../api/sandbox.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useAction } from '../../state/action.ts'
import { type SandboxState, timeOf } from '../../state/sandbox.ts'
import type { SandboxPartProps } from './reset.tsx'

const steps = [
  { text: '1 hour', advance: 'PT1H' },
  { text: '1 day', advance: 'P1D' },
  { text: '30 days', advance: 'P30D' },
]
const fullTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

interface ClockProps extends SandboxPartProps {
  clock: SandboxState['clock']
}

/** The time of the shop. */
export function Clock({ sandbox, reload, clock }: ClockProps): VNode {
  const changing = useAction(async (change: ClockChange) => {
    await sandbox.changeClock(change)
    await reload()
  })
  const { run, isRunning, error } = changing
  return (
    <section class="card" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p>
        <ShopTime clock={clock} />
        <span class="quiet">{stateOf(clock)}</span>
      </p>
      <div class="sandbox-actions">
        {steps.map(({ text, advance }) => (
          <Button key={text} className="button small" isDisabled={isRunning} onClick={() => run({ advance })}>
            {text} later
          </Button>
        ))}
        <Button className="button small" isDisabled={isRunning} onClick={() => run({ frozen: !clock.frozen })}>
          {clock.frozen ? 'Let it run' : 'Stop it'}
        </Button>
        <Button
          className="button small"
          isDisabled={isRunning}
          onClick={() => run({ now: new Date().toISOString(), speed: 1, frozen: false })}
        >
          Real time
        </Button>
      </div>
      <OneValue
        id="clock-now"
        label="Set the time"
        control={(tied) => <input {...tied} type="datetime-local" step={1} />}
        isDisabled={isRunning}
        set={(text) => run({ now: new Date(text).toISOString() })}
      />
      <OneValue
        id="clock-advance"
        label="Move it by (P1D, PT90M, -P1M)"
        control={(tied) => <input {...tied} autocomplete="off" />}
        isDisabled={isRunning}
        set={(text) => run({ advance: text.trim() })}
      />
      <OneValue
        id="clock-speed"
        label="Seconds that pass in a second"
        control={(tied) => <input {...tied} type="number" min={1} />}
        isDisabled={isRunning}
        set={(text) => run({ speed: Number(text) })}
      />
      <ErrorNotice error={error} isTyped />
    </section>
  )
}

function stateOf({ frozen, speed }: SandboxState['clock']): string {
  if (frozen) return 'It stands still.'
  return speed === 1 ? '' : `${speed} seconds pass in a second.`
}

function ShopTime({ clock }: { clock: SandboxState['clock'] }): VNode {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  const time = new Date(timeOf(clock))
  return (
    <time class="shop-time" datetime={time.toISOString()}>
      {fullTime.format(time)}
    </time>
  )
}

interface OneValueProps {
  id: string
  label: string
  control: (tied: Pick<ComponentProps<'input'>, 'id' | 'value' | 'onInput'>) => VNode
  isDisabled: boolean
  set: (text: string) => unknown
}

/** A field with a button of its own. */
function OneValue({ id, label, control, isDisabled, set }: OneValueProps): VNode {
  const [text, setText] = useState('')
  function onSubmit(event: Event): void {
    event.preventDefault()
    if (text !== '' && !isDisabled) set(text)
  }
  return (
    <form class="one-value" onSubmit={onSubmit} noValidate>
      <label for={id}>{label}</label>
      <div>
        {control({ id, value: text, onInput: ({ currentTarget }) => setText(currentTarget.value) })}
        <Button className="button" isDisabled={isDisabled || text === ''} aria-label={`Set: ${label}`}>
          Set
        </Button>
      </div>
    </form>
  )
}
