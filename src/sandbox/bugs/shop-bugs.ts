import { isUtf8 } from 'node:buffer'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Bug } from './bug.ts'
import { findBug } from './catalogue.ts'

/** The bugs of a shop. */
export interface ShopBugs {
  readonly bugs: readonly Bug[]
  /** Nobody is told what they are: somebody is looking for them. */
  readonly isHidden: boolean
}

export const noBugs: ShopBugs = { bugs: [], isHidden: false }

/** Reads the body of `PUT /sandbox/bugs`. */
export function readBugs(body: Buffer | undefined): readonly Bug[] {
  let names: unknown
  try {
    names = body !== undefined && isUtf8(body) ? JSON.parse(body.toString()) : undefined
  } catch {
    // As any other body that is not an array.
  }
  if (!Array.isArray(names)) throw invalid('The body must be a JSON array of names of bugs, in UTF-8.')
  const found = names.map((name: unknown) => {
    const bug = typeof name === 'string' ? findBug(name) : undefined
    if (bug === undefined) throw invalid(`There is no bug ${printed(name)}: docs/bugs.md has all names.`)
    return bug
  })
  return [...new Set(found)]
}

/** What `GET` and `PUT /sandbox/bugs` return. */
export function namesOf({ bugs, isHidden }: ShopBugs): string {
  if (isHidden) throw hidden()
  return JSON.stringify(bugs.map(({ name }) => name))
}

export function hidden(): PetStoreError {
  return new PetStoreError('forbidden', 'The bugs of this shop are a mystery: petstore sandbox --reveal names them.')
}

function invalid(message: string): PetStoreError {
  return new PetStoreError('invalid_body', message, { fields: [] })
}

function printed(name: unknown): string {
  return JSON.stringify(typeof name === 'string' ? name.slice(0, 50) : name).slice(0, 60)
}
