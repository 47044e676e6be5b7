/** How a member of a resource is stored. A `time` is text in JSON and milliseconds since 1970 in a table. */
export interface Member {
  /** In the tables of both engines. An absent member is NULL there. */
  readonly column: string
  readonly type: 'int64' | 'text' | 'time'
  /** It may be about a person and can be removed, so it is in no event: an event cannot be removed. */
  readonly isPrivate?: true
}

/**
 * Every member of a resource, in the order of its JSON, of its tables and of its files. Statements, copies, files and
 * digests are made from it, so that the compiler demands each new member here and none is forgotten there.
 */
export type Members<Resource> = Readonly<Record<keyof Resource, Member>>

export function columnNames(members: Readonly<Record<string, Member>>): string[] {
  return Object.values(members).map(({ column }) => column)
}
