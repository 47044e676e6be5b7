import type { Column } from '../dialect.ts'
import type { Base, Bench } from '../measure.ts'
import type { Options } from '../options.ts'
import type { Question } from '../questions/question.ts'

/** What one report is about: who is asked what, and what the ratios refer to. */
export interface Suite {
  title: string
  columns: readonly Column[]
  /** In the order of the report. Reads come first: creates make the shop larger. */
  questions: readonly Question[]
  base: Base
  goals: Bench['goals']
  /** Names and versions, beside Node's. */
  software(): string[]
  /** What runs on which core. */
  placement(cores: Options['cores']): string
  /** Starts what all columns share. `folder` is removed at the end. */
  start?(folder: string): Promise<NonNullable<Bench['database']>>
  stop?(): Promise<void>
}
