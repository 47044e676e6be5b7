/** A change of something: `{}` is none. */
export type AtLeastOne<Change> = Change &
  { [Name in keyof Change]-?: { [Given in Name]: Exclude<Change[Given], undefined> } }[keyof Change]
