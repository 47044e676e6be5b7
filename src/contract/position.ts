import { int64FromText } from './int64.ts'

/**
 * A place in a list that goes by id, from which to go on. Ids are given again once a database has lost its end: by a
 * failover to a server that had less, or by a backup that was restored. So a position names the history in which it was
 * read, too. A position from a history that was lost is refused, never continued. Without a history only the id is looked at.
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

/** What `gone` means where a cursor is taken. */
export const cursorGone =
  'The cursor is from before the database was replaced by one with less in it: start again from the first page.'

/** Whether a text can be the name of a history. */
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
