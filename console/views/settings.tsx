import type { VNode } from 'preact'
import { hrefOf } from '../state/route.ts'
import { signOut, useMay, useSignedIn } from '../state/session.ts'
import { ChoiceButtons } from '../components/choices.tsx'
import { permissionTexts } from '../components/permission-texts.ts'
import { prefer, usePreferences } from '../state/preferences.ts'
import { visibleText } from '../state/visible-text.ts'
import { ShortcutSwitch } from './shortcuts.tsx'

export function Settings(): VNode {
  const { name, permission, environment, sandbox } = useSignedIn()
  const may = useMay()
  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Settings</h1>
      </div>
      <div class="settings">
        <section class="card" aria-labelledby="your-key">
          <h2 id="your-key">Your key</h2>
          <dl class="details">
            <div>
              <dt>Name</dt>
              <dd>
                <bdi>{visibleText(name)}</bdi>
              </dd>
            </div>
            <div>
              <dt>May</dt>
              <dd>{permissionTexts[permission].afterMay}</dd>
            </div>
            <div>
              <dt>Shop</dt>
              <dd>{sandbox === undefined ? environment : `sandbox ${sandbox}`}</dd>
            </div>
          </dl>
          <button type="button" class="button" onClick={() => signOut('left')}>
            Sign out
          </button>
          <p class="note">
            Signs out all tabs of this page. The key is kept by them alone, and gone when the last one is closed.
          </p>
        </section>
        <section class="card" aria-labelledby="this-page">
          <h2 id="this-page">This page</h2>
          <ShortcutSwitch label="Single keys are shortcuts" />
          <p class="note">
            Press <kbd>?</kbd> to see them. Light or dark follows your system.
          </p>
          <DensityChoice />
          <p>
            <a href="docs">API reference</a> · <a href="docs/guides">Guides</a>
          </p>
        </section>
        {may('listKeys') && (
          <section class="card" aria-labelledby="people">
            <h2 id="people">People</h2>
            <p class="note">Who may use this shop, and who is invited.</p>
            <a class="button" href={hrefOf('keys')}>
              Invite a colleague
            </a>
          </section>
        )}
        {may('listWebhooks') && (
          <section class="card" aria-labelledby="webhooks">
            <h2 id="webhooks">Webhooks</h2>
            <p class="note">Programs that are told of every change in the shop.</p>
            <a class="button" href={hrefOf('webhooks')}>
              Manage webhooks
            </a>
          </section>
        )}
      </div>
    </div>
  )
}

const densityChoices = [
  { value: 'auto' as const, text: 'Automatic' },
  { value: 'comfortable' as const, text: 'Comfortable' },
  { value: 'compact' as const, text: 'Compact' },
]

function DensityChoice(): VNode {
  const { density } = usePreferences()
  return (
    <ChoiceButtons
      name="density"
      label="Rows of lists"
      choices={densityChoices}
      chosen={density}
      isDisabled={false}
      hint="Automatic: compact on small laptops. Remembered for you, as are the order of the animals and the page size."
      onChoose={(chosen) => prefer({ density: chosen })}
    />
  )
}
