import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { JournalEntry } from '../../api/sandbox.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { plural } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { isOwnRequest } from '../../state/sandbox.ts'
import type { SandboxPartProps } from './reset.tsx'

const stepCount = 50
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

interface JournalProps extends SandboxPartProps {
  /** The newest first. */
  requests: readonly JournalEntry[]
}

/** What clients sent to the shop. */
export function Journal({ sandbox, reload, requests }: JournalProps): VNode {
  const [text, setText] = useState('')
  const [hasOwn, setOwn] = useState(false)
  const [maxShown, setMaxShown] = useState(stepCount)
  const clearing = useAction(async () => {
    await sandbox.clearRequests()
    await reload()
  })
  const words = text.toLowerCase().split(/\s+/)
  const found = requests.filter((entry) => (hasOwn || !isOwnRequest(entry)) && hasWords(entry, words))
  return (
    <section class="card" aria-labelledby="journal">
      <div class="card-head">
        <h2 id="journal">Journal</h2>
        <Button className="button small" isDisabled={clearing.isRunning} onClick={() => clearing.run()}>
          Clear
        </Button>
      </div>
      <div class="filters">
        <div class="filter find">
          <label for="journal-filter">Filter</label>
          <input
            id="journal-filter"
            autocomplete="off"
            placeholder="POST pets 201"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <label class="check">
          <input type="checkbox" checked={hasOwn} onChange={({ currentTarget }) => setOwn(currentTarget.checked)} />{' '}
          Those of this page too
        </label>
      </div>
      <ErrorNotice error={clearing.error} />
      {found.length === 0 ? (
        <p class="quiet">{requests.length === 0 ? 'No requests yet.' : 'No request matches.'}</p>
      ) : (
        <ol class="journal">
          {found.slice(0, maxShown).map((entry) => (
            <li key={entry.id}>
              <Entry entry={entry} />
            </li>
          ))}
        </ol>
      )}
      {found.length > maxShown && (
        <button type="button" class="button" onClick={() => setMaxShown(maxShown + stepCount)}>
          Show more of {plural(found.length, 'request', 'requests')}
        </button>
      )}
    </section>
  )
}

function hasWords({ method, path, operation, status, fault }: JournalEntry, words: readonly string[]): boolean {
  const text = [method, path, operation, status, fault].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

function Entry({ entry }: { entry: JournalEntry }): VNode {
  const [isOpen, setOpen] = useState(false)
  const { id, method, path, at, status, fault, milliseconds } = entry
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="journal-request">
          <b>{method}</b> {path}
        </span>{' '}
        <span class="journal-answer" data-fails={status === undefined || status >= 400 ? '' : undefined}>
          {status ?? 'no response'}
        </span>{' '}
        {fault !== undefined && <span class="badge">{fault}</span>}{' '}
        <span class="quiet">
          {milliseconds !== undefined && `${milliseconds} ms, `}
          <time datetime={at}>{timeOfDay.format(new Date(at))}</time>, number {id}
        </span>
      </summary>
      {isOpen && <Details entry={entry} />}
    </details>
  )
}

function Details({ entry: { requestId, operation, headers, body, bodyBytes } }: { entry: JournalEntry }): VNode {
  const rows = { operation, 'request id': requestId, ...headers }
  return (
    <>
      <dl class="details">
        {Object.entries(rows).map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {body !== undefined && (
        // The body may be wider than the page.
        <pre tabindex={0} aria-label="Body">
          {body}
        </pre>
      )}
      {bodyBytes !== undefined && bodyBytes > new TextEncoder().encode(body).length && (
        <p class="note">The first part of {plural(bodyBytes, 'byte', 'bytes')}.</p>
      )}
    </>
  )
}
