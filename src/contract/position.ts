import { int64FromText } from './int64.ts'

/**
 * Where to continue in the events; also what identifies an event, with the lineage in which its id was given. A database
 * that lost its latest events gives their ids again: after a failover to a server that had less, or after a backup was
 * restored. So a position also names the lineage in which it was read. A position from a lost lineage is refused.
 * Without a lineage only the id is checked.
 */
export interface Position {
  id: bigint
  lineage?: string | undefined
}

/** The name of a lineage. */
const lineageName = '[0-9A-Za-z]{8}'
export const lineageForm = `^${lineageName}$`

/** A position as text. */
export const positionForm = `^(0|[1-9][0-9]{0,18})(-${lineageName})?$`
const form = new RegExp(positionForm)
const lineageAlone = new RegExp(lineageForm)

/** Whether a text has the form of a lineage name. */
export function isLineage(text: string): boolean {
  return lineageAlone.test(text)
}

/** A position as text: `17-k3x9Qa7B`, or `17` without a lineage. */
export function encodePosition({ id, lineage }: Position): string {
  return lineage === undefined ? String(id) : `${id}-${lineage}`
}

export function decodePosition(text: string): Position | undefined {
  const [, digits = '', lineage] = form.exec(text) ?? []
  const id = int64FromText(digits)
  return id === undefined ? undefined : { id, lineage: lineage?.slice(1) }
}
