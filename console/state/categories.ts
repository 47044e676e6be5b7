import { useEffect } from 'preact/hooks'
import { type Int64, isPetStoreError } from '../../client/src/index.ts'
import { int64Max, int64Min, isInt64, toInt64 } from '../api/int64.ts'
import { isCurrent, service } from '../api/service.ts'
import { idsByName, numberIn } from './category-ids.ts'
import { feedSettled, followFeed } from './feed.ts'
import { sharedReads } from './shared-reads.ts'
import { createSessionStore, useStore } from './store.ts'
import { isVisible, visibleText } from './visible-text.ts'

/** Names read at start, as suggestions. Others are read when they are shown. */
const maxProposed = 500

export interface Categories {
  /** By the digits of the ids; null for a category that has no name. */
  names: ReadonlyMap<string, string | null>
  /** Whether all names are known. */
  isComplete: boolean
}

const categories = createSessionStore<Categories>({ names: new Map(), isComplete: true })

export function useCategories(): Categories {
  return useStore(categories)
}

/** The session whose names were read. */
let loadedFor: ReturnType<typeof service> | undefined

// Categories make no events, but after a reset or a restored backup there are others.
followFeed((signal) => {
  if (signal === 'missed' && loadedFor !== undefined && isCurrent(loadedFor)) void readCategories(loadedFor)
})

/**
 * Reads the names, after the stream of events has begun. Without them categories are shown by their numbers, so a
 * failure needs no message.
 */
export async function loadCategories(): Promise<void> {
  const client = service()
  await feedSettled()
  if (!isCurrent(client)) return
  loadedFor = client
  await readCategories(client)
}

let reads = 0
const isRead = createSessionStore(false)

/** Of all names: those that are `asked` for, too, have none if it is not among them. */
async function readCategories(client: ReturnType<typeof service>, asked: readonly string[] = []): Promise<void> {
  const read = ++reads
  let names = new Map<string, string | null>()
  let isComplete = false
  try {
    for await (const { items, cursor } of client.categories.list({ limit: 100 }).pages()) {
      for (const { id, name } of items) names.set(String(id), name)
      isComplete = cursor === undefined
      if (names.size >= maxProposed) break
    }
  } catch {
    names = new Map([...categories.get().names, ...names])
    isComplete = false
  }
  if (!isCurrent(client) || read !== reads) return
  if (isComplete) for (const id of asked) if (!names.has(id)) names.set(id, null)
  categories.set({ names, isComplete })
  isRead.set(true)
}

let unknownRead: Promise<void> | undefined

/** Categories make no events: one that is not known may be new. Reads all names, once for each unknown id. */
async function readUnknown(ids: readonly string[]): Promise<void> {
  const client = service()
  await unknownRead
  const { names } = categories.get()
  if (!isCurrent(client) || ids.every((id) => names.has(id))) return
  const nameless = [...names.keys()].filter((id) => names.get(id) === null)
  unknownRead = readCategories(client, [...nameless, ...ids])
  await unknownRead
}

/** Makes sure that the names of these categories are known, if they have one. */
export function useCategoryNames(ids: readonly Int64[]): Categories['names'] {
  const { names, isComplete } = useCategories()
  const isReady = useStore(isRead)
  const missing = [...new Set(ids.map(String))].filter((id) => !names.has(id))
  useEffect(() => {
    if (!isComplete) for (const id of missing) void loadName(id)
    else if (isReady && missing.length > 0) void readUnknown(missing)
  }, [missing.join(), isComplete, isReady])
  return names
}

/** Reads the name of one category. */
export async function loadName(id: string): Promise<void> {
  const client = service()
  await shared(client, id, () => readName(client, id))
}

const shared = sharedReads()

async function readName(client: ReturnType<typeof service>, id: string): Promise<void> {
  try {
    const { name } = await client.categories.get(toInt64(id))
    if (isCurrent(client)) rememberNames([{ id, name }])
  } catch (error) {
    if (isPetStoreError(error, 'not_found') && isCurrent(client)) rememberNames([{ id, name: null }])
  }
}

const ownChanges = new Set<() => void>()

/** Calls back after each change of a category by this tab: categories make no events. Returns a function to stop. */
export function followOwnCategoryChanges(follower: () => void): () => void {
  ownChanges.add(follower)
  return () => ownChanges.delete(follower)
}

function noteOwnChange(id: Int64 | string, name: string | null): void {
  rememberNames([{ id, name }])
  for (const follower of ownChanges) follower()
}

/** Resolves to the digits of the id that the service gave it. */
export async function createCategory(name: string): Promise<string> {
  const { id } = await service().categories.create({ name })
  noteOwnChange(id, name)
  return String(id)
}

/** Whether another category is called that, ignoring case. The service is asked: not all names need to be known here. */
export async function isCalledByAnother(id: string, name: string): Promise<boolean> {
  const folded = name.trim().toLocaleLowerCase()
  const isOther = (other: Int64 | string, called: string | null): boolean =>
    String(other) !== id && called?.trim().toLocaleLowerCase() === folded
  if ([...categories.get().names].some(([other, called]) => isOther(other, called))) return true
  try {
    const { items } = await service().categories.list({ name, limit: 100 }).page()
    return items.some((item) => isOther(item.id, item.name))
  } catch {
    // It is a question to the user, not a rule: the renaming tells what is wrong.
    return false
  }
}

/** Names a category, or renames it. */
export async function nameCategory(id: string, name: string): Promise<void> {
  await service().categories.put(toInt64(id), { name })
  noteOwnChange(id, name)
}

/** Removes the name of a category; `conflict` if an animal has it. */
export async function removeCategory(id: string): Promise<void> {
  try {
    await service().categories.delete(toInt64(id))
  } catch (error) {
    // It is removed, by an attempt whose response was lost or by another client.
    if (!isPetStoreError(error, 'not_found')) throw error
  }
  noteOwnChange(id, null)
}

export function rememberNames(found: readonly { id: Int64 | string; name: string | null }[]): void {
  const { names, isComplete } = categories.get()
  const isNew = found.some(({ id, name }) => names.get(String(id)) !== name)
  if (!isNew) return
  categories.set({
    names: new Map([...names, ...found.map(({ id, name }) => [String(id), name] as const)]),
    isComplete,
  })
}

/** The category that was typed: the digits of its id, or an error. */
export type CategoryMatch = { id: string; fault?: undefined } | { id?: undefined; fault: string }

/**
 * Digits always mean the number. A name means its category if it is unique; case matters only if names differ in
 * nothing else.
 */
export function matchCategory(text: string, { names, isComplete } = categories.get()): CategoryMatch {
  const asked = text.trim()
  if (asked === '') return { fault: 'Choose a category.' }
  if (isInt64(asked)) return { id: asked }
  const numbered = /\(#(-?[0-9]+)\)$/.exec(asked)?.[1]
  if (numbered !== undefined && asked === numberedLabel(names, numbered)) return { id: numbered }
  const { exact, folded } = idsByName(names)
  const found = exact.get(asked) ?? folded.get(asked.toLocaleLowerCase()) ?? []
  const [id] = found
  // A name that is not known here may be that of another category.
  const number = isComplete ? numberIn(asked) : undefined
  if (id === undefined) return number === undefined ? { fault: unknownFault(asked) } : { id: number }
  if (found.length === 1) return { id }
  return { fault: 'Several categories are called that: choose one.' }
}

function unknownFault(asked: string): string {
  if (/^-?[0-9]+$/.test(asked)) return `A category is a number from ${int64Min} to ${int64Max}.`
  return 'No category is called that.'
}

/** A category as a user would type it: its name if that is unambiguous, otherwise the name with the number. */
export function categoryText(id: Int64 | string, known = categories.get()): string {
  const digits = String(id)
  const name = known.names.get(digits)
  if (name === undefined || name === null || !isVisible(name)) return digits
  return matchCategory(name, known).id === digits ? name : numberedLabel(known.names, digits)
}

function numberedLabel(names: Categories['names'], digits: string): string {
  return `${names.get(digits)?.trim()} (#${digits})`
}

/** A short label of a category. */
export function categoryLabel(names: Categories['names'], id: Int64 | string): string {
  return visibleText(names.get(String(id)) ?? `Category ${id}`)
}
