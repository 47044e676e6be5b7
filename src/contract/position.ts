import { int64FromText } from './int64.ts'

/**
 * Where to continue in a list ordered by id. A database that lost its end assigns the same ids again: after a failover
 * to a server that had less, or after a backup was restored. So a position also names the history in which it was read.
 * A position from a lost history is refused. Without a history only the id is checked.
 */
export interface Position {
  id: bigint
  history?: string | undefined
}

/** The name of a history. */
const historyForm = '[0-9A-Za-z]{8}'

/** A position as text. */
export const positionForm = `^(0|[1-9][0-9]{0,18})(-${historyForm})?$`
const form = new RegExp(positionForm)
const historyAlone = new RegExp(`^${historyForm}$`)

/** The meaning of `gone` for operations that take a cursor. */
export const cursorGone =
  'The position of the cursor was lost, for example by a restored backup: start again from the first page.'

/** Whether a text has the form of a history name. */
export function isHistory(text: string): boolean {
  return historyAlone.test(text)
}

/** A position as text: `17-k3x9Qa7B`, or `17` without a history. */
export function encodePosition({ id, history }: Position): string {
  return history === undefined ? String(id) : `${id}-${history}`
}

export function decodePosition(text: string): Position | undefined {
  const [, digits = '', history] = form.exec(text) ?? []
  const id = int64FromText(digits)
  return id === undefined ? undefined : { id, history: history?.slice(1) }
}
