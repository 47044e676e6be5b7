import type { VNode } from 'preact'

/** The attributes that connect a control to its label and note. */
export interface Tied {
  id: string
  'aria-describedby': string
  'aria-invalid': 'true' | undefined
}

interface FieldProps {
  id: string
  label: string
  hint?: string
  fault: string | undefined
  control: (tied: Tied) => VNode
}

/** A label, a control, and below it a hint or an error. */
export function Field({ id, label, hint = '', fault, control }: FieldProps): VNode {
  const tied: Tied = {
    id,
    'aria-describedby': `${id}-note`,
    'aria-invalid': fault === undefined ? undefined : 'true',
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control(tied)}
      <p id={`${id}-note`} class={fault === undefined ? 'note' : 'note fault'} aria-live="polite">
        {fault ?? hint}
      </p>
    </div>
  )
}
