import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { saveFile } from '../../state/download.ts'
import { notify } from '../../state/notices.ts'
import { useSignedIn } from '../../state/session.ts'
import { FileButton } from './file-button.tsx'
import type { SandboxPartProps } from './reset.tsx'

/** Saves the whole shop as a file, and restores it. */
export function Snapshot({ sandbox, reload }: SandboxPartProps): VNode {
  const { sandbox: shop } = useSignedIn()
  const [chosen, setChosen] = useState<File>()
  const saving = useAction(async () => {
    const name = `${shop}.ndjson`
    saveFile(name, new Blob([await sandbox.saveSnapshot()]))
    notify(`${name} was saved`)
  })
  return (
    <section class="card" aria-labelledby="snapshot">
      <h2 id="snapshot">Snapshot</h2>
      <div class="sandbox-actions">
        <Button isDisabled={saving.isRunning} onClick={() => saving.run()}>
          Save the shop
        </Button>
        <FileButton id="snapshot-file" label="Restore a file" onFile={setChosen} />
      </div>
      <ErrorNotice error={saving.error} />
      <p class="note">Animals, orders, categories, keys, events and the clock, as one file.</p>
      {chosen !== undefined && (
        <Confirm
          title="Restore the shop?"
          action="Restore"
          isDangerous
          act={async () => {
            await sandbox.restoreSnapshot(chosen)
            notify(`The shop is that of ${shortName(chosen.name)}`)
            setChosen(undefined)
            await reload()
          }}
          onClose={() => setChosen(undefined)}
        >
          The shop becomes that of <bdi>{shortName(chosen.name)}</bdi>. What it has now is gone, also its faults and its
          journal.
        </Confirm>
      )}
    </section>
  )
}
