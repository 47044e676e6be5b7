/** What a look at a database finds. Nothing is changed, and no file is made. */
export interface Inspection {
  /** 0 for a database without tables. */
  schema: number
  /** The schema of this version of the program. */
  latestSchema: number
  /** A part of a newer schema than `schema`, if there is one: a dump was restored over a newer database. */
  newerPart?: string | undefined
  /** How many migrations ahead of this version the schema may be. */
  maxAhead: number
  /** The environment of the first start. */
  environment: string | undefined
  hasUnfinishedCopy: boolean
  /** Whether another process has it open. A file of a service that was killed looks so, too. */
  isInUse: boolean
  /** Why this user cannot write it, as a sentence. Not known of a file: `petstore doctor` asks for its permissions. */
  notWritable?: string | undefined
  /** The time of the latest event, in milliseconds since 1970. */
  latestEventAt: number | undefined
  /** Since when no process delivers events to webhooks, although some are enabled. */
  deliveriesUnattendedSince: number | undefined
  /** The clock of the server, if there is one, and of this machine at the same moment. */
  clocks?: { server: number; here: number }
  /** What could lose acknowledged writes, one sentence each. */
  unsafe: string[]
  /** What is not wrong, but not tested either. */
  doubtful: string[]
}
