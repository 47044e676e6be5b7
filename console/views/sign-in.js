import { Field } from '../parts/field.js'
import { Paw } from '../parts/icons.js'
import { Trouble } from '../parts/trouble.js'
import { html, useEffect, useRef, useState } from '../preact.js'
import { explain } from '../problems.js'
import { signIn, useSession } from '../session.js'

export function SignIn() {
  const { reason, problem, retry } = useSession()
  const [key, setKey] = useState('')
  const [fault, setFault] = useState()
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState()
  const input = useRef()

  useEffect(() => {
    document.title = 'Sign in · Pet Store'
    input.current?.focus()
  }, [])

  async function submitted(event) {
    event.preventDefault()
    if (isBusy) return
    const given = key.trim()
    const wrong = faultOf(given)
    setFault(wrong)
    setTrouble(undefined)
    if (wrong !== undefined) return input.current.focus()
    setBusy(true)
    try {
      await signIn(given)
    } catch (error) {
      setBusy(false)
      if (error.code !== 'unauthorized') return setTrouble(error)
      setFault(explain(error))
      input.current.focus()
    }
  }

  return html`<main class="sign-in">
    <form onSubmit=${submitted} novalidate>
      <p class="brand"><${Paw} /><span>Pet Store</span></p>
      <h1>Sign in</h1>
      <${Reason} reason=${reason} problem=${problem} />
      ${retry && html`<button type="button" class="button" onClick=${retry}>Try again</button>`}
      <${Field}
        id="key"
        label="API key"
        hint="Starts with pet_live_ or pet_test_. It is kept until you close this tab."
        fault=${fault}
        control=${(tied) => html`<input
          ...${tied}
          ref=${input}
          type="password"
          autocomplete="off"
          autocapitalize="none"
          spellcheck=${false}
          value=${key}
          onInput=${({ target }) => setKey(target.value)}
        />`}
      />
      ${trouble && html`<${Trouble} problem=${trouble} />`}
      <button class="button primary wide" aria-disabled=${isBusy ? 'true' : undefined}>
        ${isBusy ? 'Signing in…' : 'Sign in'}
      </button>
      <p class="aside">
        No key yet? Whoever runs the service makes one: <code>petstore keys create</code>. To read the${' '}
        <a href="/docs">API reference</a> you need none.
      </p>
    </form>
  </main>`
}

function Reason({ reason, problem }) {
  if (reason === undefined) return html`<p class="lead">Paste your key to see the shop’s animals.</p>`
  return html`<p class="lead told" role="alert">${reasons[reason](problem)}</p>`
}

const reasons = {
  refused: () => 'Your key is not accepted any more. Sign in with another one; what you typed is kept.',
  left: () => 'You are signed out. The key is gone from this browser.',
  unreachable: (problem) => explain(problem),
  link: (problem) => linkReasons[problem.code] ?? explain(problem),
}

const linkReasons = {
  gone: 'This sign-in link was used already, or it is more than 15 minutes old. Paste the key that was printed with it.',
  forbidden: 'This sign-in link works only on the machine that the service runs on. Paste your key here.',
}

function faultOf(key) {
  if (key === '') return 'Paste your key here.'
  return /^[\x21-\x7e]+$/.test(key) ? undefined : 'A key has no spaces and no special letters: copy it again.'
}
