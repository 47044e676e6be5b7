import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { dropDraft, useDraft } from '../state/drafts.ts'

interface UnsavedDraftProps {
  /** The name of the form's draft. */
  name: string
  onDiscard?: () => void
}

/** Marks a draft that was there when the form opened, and offers to discard it. */
export function UnsavedDraft({ name, onDiscard }: UnsavedDraftProps): ComponentChildren {
  const draft = useDraft(name)
  const [isOffered, setOffered] = useState(draft !== undefined)
  if (!isOffered || draft === undefined) return null
  function discard(): void {
    dropDraft(name)
    setOffered(false)
    onDiscard?.()
  }
  return (
    <div class="kept-draft">
      <p>You typed this before and did not save it.</p>
      <button type="button" class="button small" onClick={discard}>
        Discard
      </button>
    </div>
  )
}
