import type { TObject, TProperties } from 'typebox'

/** How a member of a resource is stored. A `time` is text in JSON and milliseconds since 1970 in a table. */
export interface Member {
  /** In the tables of both engines. An absent member is NULL there. */
  readonly column: string
  readonly type: 'int64' | 'text' | 'time'
  /** It may be about a person and can be removed, so it is in no event: an event cannot be removed. */
  readonly isPrivate: boolean
}

export type Members<Resource> = Readonly<Record<keyof Resource, Member>>

/**
 * Every member of a resource, in the order of its JSON, of its tables and of its files. Statements, copies, files and
 * digests are made from it. The column of `petId` is `pet_id`.
 */
export function membersOf<Properties extends TProperties>(
  { properties }: TObject<Properties>,
  { privateMembers = [] }: { privateMembers?: readonly (keyof Properties)[] } = {},
): Members<Properties> {
  const members = Object.entries<TypedSchema>(properties).map(([name, schema]): [string, Member] => [
    name,
    {
      column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      type: typeOf(name, schema),
      isPrivate: privateMembers.includes(name),
    },
  ])
  return Object.fromEntries(members) as Members<Properties>
}

interface TypedSchema {
  type?: unknown
  format?: unknown
}

function typeOf(name: string, { type, format }: TypedSchema): Member['type'] {
  if (type === 'integer') return 'int64'
  if (format === 'date-time') return 'time'
  if (type === 'string') return 'text'
  throw new Error(`${name} is neither an integer nor a text nor a time, so no column can have it.`)
}

export function columnNames(members: Readonly<Record<string, Member>>): string[] {
  return Object.values(members).map(({ column }) => column)
}
