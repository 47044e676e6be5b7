import type { Command } from './processes.ts'

/** What a column finds when it starts. */
export interface Ground {
  /** A folder of its own for its data. */
  folder: string
  /** A folder with the answers that are ready to be sent. */
  bytes: string
  port: number
  key: string
}

/** How one server spells the questions. */
export interface Dialect {
  list: string
  byStatus: string
  /** The page behind the animal with this id. */
  after(id: number): string
  /** The same with 100 animals. Undefined where a page has one size. */
  hundredAfter?(id: number): string
  one(id: number): string
  /** The animals with the words of this name behind the animal with this id. Undefined where there is no search. */
  search?(name: string, id: number): string
  /** Undefined where nothing can be created. */
  create?: string
  /** Undefined where nothing can be ordered. */
  order?: string
}

export interface Column {
  name: string
  title: string
  dialect: Dialect
  /** Why it cannot run here; undefined when it can. */
  missing?(): string | undefined
  fill?(folder: string, animals: number, key: string): Promise<void> | void
  command(ground: Ground): Command
  /** How many animals are in its database, past the server: every acknowledged create must be among them. */
  stored?(folder: string): number | Promise<number>
  /** False for a mock, whose answers are made up. */
  isChecked?: false
  /** True for a server that speaks HTTPS. */
  isSecure?: true
  /** True for a program that asks itself, told by the same jobs as the load: one without HTTP. */
  isItsOwnLoad?: true
}
