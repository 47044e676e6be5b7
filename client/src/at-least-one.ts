/** At least one member of a change: `{}` changes nothing and does not compile. */
export type AtLeastOne<Change> = Change &
  { [Name in keyof Change]-?: Record<Name, Exclude<Change[Name], undefined>> }[keyof Change]
