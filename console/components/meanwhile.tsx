import type { ComponentChildren, VNode } from 'preact'

interface MeanwhileProps {
  /** The kind of thing that somebody changed. */
  what: string
  /** The changes, as list items. */
  children: ComponentChildren
}

/** Tells of a change by somebody else while this user was typing. */
export function Meanwhile({ what, children }: MeanwhileProps): VNode {
  return (
    <div class="meanwhile" role="alert">
      <p>
        <strong>Somebody changed this {what} meanwhile.</strong> What you typed is kept; save to put it in place.
      </p>
      <ul>{children}</ul>
    </div>
  )
}
