import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Confirm } from '../../components/dialog.tsx'
import { shortName } from '../../components/format.ts'
import { notify } from '../../state/notices.ts'
import type { Sandbox } from '../../state/sandbox.ts'
import { FileButton } from './file-button.tsx'

export interface SandboxPartProps {
  sandbox: Sandbox
  /** Reads the state of the sandbox again. */
  reload: () => Promise<unknown>
}

interface Seed {
  /** What the shop begins with. */
  text: string
  reset: () => Promise<unknown>
}

/** Lets the shop begin again. */
export function Reset({ sandbox, reload }: SandboxPartProps): VNode {
  const [chosen, setChosen] = useState<Seed>()
  // The dialog stays as it is while it closes.
  const seeds = useRef<Seed[]>([
    { text: 'the first seed', reset: () => sandbox.reset() },
    { text: 'the demo shop', reset: () => sandbox.reset('demo') },
    { text: 'an empty shop', reset: () => sandbox.reset('empty') },
  ]).current
  return (
    <section class="card" aria-labelledby="begin-again">
      <h2 id="begin-again">Begin again</h2>
      <div class="sandbox-actions">
        {seeds.map((seed) => (
          <button key={seed.text} type="button" class="button" onClick={() => setChosen(seed)}>
            With {seed.text}
          </button>
        ))}
        <FileButton
          id="seed-file"
          label="With a file"
          onFile={(file) => setChosen({ text: shortName(file.name), reset: () => sandbox.resetToFile(file) })}
        />
      </div>
      <p class="note">
        A file has an animal on each line, as JSON; a line with a <code>type</code> is a category or an order.
      </p>
      {chosen !== undefined && (
        <Confirm
          title="Begin again?"
          action="Begin again"
          isDangerous
          act={async () => {
            await chosen.reset()
            notify(`The shop began again with ${chosen.text}`)
            setChosen(undefined)
            await reload()
          }}
          onClose={() => setChosen(undefined)}
        >
          The shop begins with <bdi>{chosen.text}</bdi>. Its animals, orders, keys, faults and journal are gone, and its
          clock has the real time.
        </Confirm>
      )}
    </section>
  )
}
