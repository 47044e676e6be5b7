/** A change of something: `{}` is none. */
export type AtLeastOne<Change> = Change &
  { [Name in keyof Change]-?: Record<Name, Exclude<Change[Name], undefined>> }[keyof Change]
