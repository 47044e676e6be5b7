import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '../../api/error-text.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { Brand } from '../../components/icons.tsx'
import { useAction } from '../../state/action.ts'
import { signIn, type SignedOut } from '../../state/session.ts'
import { keyOfShop, newShopName, shopNameHint } from '../../state/shop-name.ts'

/** What a visitor of a sandbox sees first. What sandbox.html draws is the same. */
export function ChooseShop({ session: { reason, error, retry } }: { session: SignedOut }): VNode {
  useEffect(() => {
    document.title = 'Choose a shop · Pet Store'
    document.getElementById('shop')?.focus()
  }, [])
  return (
    <main class="sign-in">
      <ShopForm actionText="Open the shop" className="button primary wide">
        <Brand name="Pet Store sandbox" />
        <h1>Choose a shop</h1>
        {reason === undefined ? (
          <p class="lead">A pet store to try things in. Nothing is kept.</p>
        ) : (
          <p class="lead told" role="alert">
            {reasonText(reason, error)}
          </p>
        )}
        {retry !== undefined && (
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        )}
      </ShopForm>
    </main>
  )
}

function reasonText(reason: NonNullable<SignedOut['reason']>, error: unknown): string {
  if (reason === 'left') return 'You have left the shop.'
  if (reason === 'refused') return 'This key is not accepted any more: the shop was reset, or the key has ended.'
  return errorText(error)
}

interface ShopFormProps {
  actionText: string
  className: string
  children?: VNode | (VNode | false)[]
}

/** Opens the shop of a name. */
export function ShopForm({ actionText, className, children }: ShopFormProps): VNode {
  const [fault, setFault] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const opening = useAction(async (text: string) => {
    const key = keyOfShop(text)
    setFault(key === undefined ? shopNameHint : undefined)
    if (key === undefined) return input.current?.focus()
    await signIn(key)
  })

  function onSubmit(event: Event): void {
    event.preventDefault()
    void opening.run(input.current?.value ?? '')
  }
  return (
    <form class="shop-form" onSubmit={onSubmit} noValidate>
      {children}
      <Field
        id="shop"
        label="Name of the shop"
        hint={shopNameHint}
        fault={fault}
        control={(tied) => <input {...tied} ref={input} autocomplete="off" autocapitalize="none" spellcheck={false} />}
      />
      <ErrorNotice error={opening.error} isTyped />
      <Button className={className} isDisabled={opening.isRunning}>
        {actionText}
      </Button>
      <Button isDisabled={opening.isRunning} onClick={() => opening.run(newShopName())}>
        Make one for me
      </Button>
    </form>
  )
}
