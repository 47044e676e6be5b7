import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '../api/error-text.ts'
import { failureOf } from '../api/failure.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { Field } from '../components/field.tsx'
import { Brand } from '../components/icons.tsx'
import { useAction } from '../state/action.ts'
import { signIn, type SignedOut } from '../state/session.ts'
import { linkErrorText } from '../state/sign-in-link.ts'

export function SignIn({ session: { reason, error, notDone = [], retry } }: { session: SignedOut }): VNode {
  const [fault, setFault] = useState<string>()
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    document.title = 'Sign in · Pet Store'
    input.current?.focus()
  }, [])

  function refuse(text: string): void {
    setFault(text)
    input.current?.focus()
  }
  const signingIn = useAction(async () => {
    const key = input.current?.value.trim() ?? ''
    const wrong = faultOf(key)
    setFault(undefined)
    if (wrong !== undefined) return refuse(wrong)
    try {
      await signIn(key)
    } catch (failed) {
      if (failureOf(failed).code !== 'unauthorized') throw failed
      refuse(errorText(failed))
    }
  })

  function onSubmit(event: Event): void {
    event.preventDefault()
    void signingIn.run()
  }

  return (
    <main class="sign-in">
      <form onSubmit={onSubmit} noValidate>
        <Brand />
        <h1>Sign in</h1>
        <Reason reason={reason} error={error} />
        {notDone.length > 0 && (
          <ul class="told" role="alert">
            {notDone.map((text, index) => (
              <li key={index}>{text}.</li>
            ))}
          </ul>
        )}
        {retry !== undefined && (
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        )}
        <Field
          id="key"
          label="API key"
          hint="Starts with pet_live_ or pet_test_. It is kept until you close the last tab of this page."
          fault={fault}
          control={(tied) => (
            <input
              {...tied}
              ref={input}
              name="key"
              type="password"
              autocomplete="current-password"
              spellcheck={false}
            />
          )}
        />
        <ErrorNotice error={signingIn.error} isTyped />
        <Button className="button primary wide" isDisabled={signingIn.isRunning}>
          {signingIn.isRunning ? 'Signing in…' : 'Sign in'}
        </Button>
        <p class="aside">
          No key yet? Ask an admin for an invitation: a link that gives you one. The first key of a shop is printed
          where its service starts. To read the <a href="docs">API reference</a> you need none.
        </p>
      </form>
    </main>
  )
}

function Reason({ reason, error }: Pick<SignedOut, 'reason' | 'error'>): VNode {
  if (reason === undefined) return <p class="lead">Paste your key to see the shop’s animals.</p>
  return (
    <p class="lead told" role="alert">
      {reasonTexts[reason](error)}
    </p>
  )
}

const reasonTexts: Record<NonNullable<SignedOut['reason']>, (error: unknown) => string> = {
  refused: () => 'Your key is not accepted any more. Sign in with another one; what you typed is kept.',
  left: () => 'You are signed out. The key is gone from this browser.',
  unreachable: errorText,
  link: linkErrorText,
}

function faultOf(key: string): string | undefined {
  if (key === '') return 'Paste your key here.'
  return /^[\x21-\x7e]+$/.test(key) ? undefined : 'A key has no spaces and no special letters: copy it again.'
}
