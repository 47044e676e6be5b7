import type { VNode } from 'preact'
import { serviceAddress } from '../../api/service.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Loading } from '../../components/loading.tsx'
import { useSandbox, useSandboxState } from '../../state/sandbox.ts'
import { useSignedIn } from '../../state/session.ts'
import { ShopForm } from './choose-shop.tsx'
import { Clock } from './clock.tsx'
import { Faults } from './faults.tsx'
import { Journal } from './journal.tsx'
import { Reset } from './reset.tsx'
import { Snapshot } from './snapshot.tsx'

/** What only a sandbox has. */
export function SandboxView(): VNode {
  const sandbox = useSandbox()
  const { result, error, reload } = useSandboxState(sandbox)
  const parts = { sandbox, reload }
  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Sandbox</h1>
      </div>
      <ErrorNotice error={error} retry={reload} />
      <div class="settings sandbox-cards">
        <ThisShop />
        <div>
          <Reset {...parts} />
          <Snapshot {...parts} />
        </div>
        {result !== undefined && <Clock {...parts} clock={result.clock} />}
      </div>
      {result === undefined ? (
        error === undefined && <Loading label="Reading the sandbox" />
      ) : (
        <>
          <Faults {...parts} faults={result.faults} />
          <Journal {...parts} requests={result.requests} />
        </>
      )}
    </div>
  )
}

function ThisShop(): VNode {
  const { sandbox, key } = useSignedIn()
  return (
    <section class="card" aria-labelledby="this-shop">
      <h2 id="this-shop">This shop</h2>
      <dl class="details">
        <div>
          <dt>Name</dt>
          <dd>
            <bdi>{sandbox}</bdi>
          </dd>
        </div>
        {key.startsWith('sandbox_') && (
          <div>
            <dt>Key</dt>
            <dd>
              <code>{key}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>API</dt>
          <dd>
            <code>{new URL('v1', serviceAddress()).href}</code>
          </dd>
        </div>
      </dl>
      <ShopForm actionText="Open another shop" className="button" />
    </section>
  )
}
