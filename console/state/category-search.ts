import { useEffect, useState } from 'preact/hooks'
import { fillPage } from '../api/fill-page.ts'
import { service } from '../api/service.ts'
import { loadName, rememberNames, useCategories } from './categories.ts'
import { numberIn } from './category-ids.ts'
import { useMay } from './session.ts'

/** After the last letter, in milliseconds. */
const pauseMs = 150

const maxFound = 20

/** The most that the inventory has. */
const maxLargest = 100

const maxShown = 50

interface Largest {
  counts: ReadonlyMap<string, number>
  /** Whether no other category has an animal. */
  isComplete: boolean
}

interface Found {
  /** What was asked for. */
  text: string
  ids: readonly string[]
  /** Where to search further; undefined if all were found, or as many as wanted. */
  cursor?: string | undefined
}

export interface FoundCategories {
  ids: readonly string[]
  /** How many animals it has. Undefined if that is not known: only the largest categories are counted. */
  countOf: (id: string) => number | undefined
  /** Whether the service has no category that is called like the text, ignoring case. */
  isMissing: boolean
  isSearching: boolean
  /** Continues a search that was not over in time; undefined if there is nothing to continue. */
  searchFurther: (() => void) | undefined
}

const noMatches: Found = { text: '', ids: [] }

/** Categories whose name has the words of the text, or whose number it is. Without a text, the largest ones first. */
export function useFoundCategories(text: string, isWanted: boolean): FoundCategories {
  const may = useMay()
  const { names } = useCategories()
  const [found, setFound] = useState(noMatches)
  const [begun, setBegun] = useState(noMatches)
  const [isSearching, setSearching] = useState(false)
  const [largest, setLargest] = useState<Largest>({ counts: new Map(), isComplete: false })
  const mayCount = may('getInventory')
  const mayFind = may('listCategories')

  // Both are suggestions: a failure leaves what is known.
  useEffect(() => {
    if (!isWanted || !mayCount) return
    return untilEnd((signal) => void readLargest(signal).then(setLargest, () => undefined))
  }, [isWanted])
  useEffect(() => {
    if (!isWanted || !mayFind || !hasWord(text)) return
    return untilEnd((signal) => {
      async function search(): Promise<void> {
        setSearching(true)
        await findCategories(begun.text === text ? begun : { ...noMatches, text }, signal).then(
          setFound,
          () => undefined,
        )
        if (!signal.aborted) setSearching(false)
      }
      const timer = setTimeout(() => void search(), pauseMs)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        setSearching(false)
      })
    })
  }, [isWanted, text, begun])

  const number = numberIn(text)
  const numbered = number === undefined ? [] : [number]
  const named = [...names.keys()].filter((id) => names.get(id) !== null)
  const ids = text === '' ? [...largest.counts.keys(), ...named] : [...numbered, ...(hasWord(text) ? found.ids : [])]
  const folded = text.toLocaleLowerCase()
  const isOver = found.text === text && found.cursor === undefined
  const isFound = isOver || !hasWord(text)
  return {
    ids: [...new Set(ids)].slice(0, maxShown),
    countOf: (id) => largest.counts.get(id) ?? (largest.isComplete ? 0 : undefined),
    isMissing:
      text !== '' &&
      mayFind &&
      isFound &&
      numbered.length === 0 &&
      !named.some((id) => names.get(id)?.trim().toLocaleLowerCase() === folded),
    isSearching,
    searchFurther: isFound || isSearching || found.text !== text ? undefined : () => setBegun(found),
  }
}

function untilEnd(start: (signal: AbortSignal) => void): () => void {
  const controller = new AbortController()
  start(controller.signal)
  return () => controller.abort()
}

/** The service compares words; it refuses a text without one. */
function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

async function findCategories({ text, ids, cursor }: Found, signal: AbortSignal): Promise<Found> {
  const name = Array.from(text).slice(0, 100).join('')
  const number = numberIn(text)
  const [page] = await Promise.all([
    fillPage(
      ({ signal, ...part }) =>
        service()
          .categories.list({ name, ...part }, { signal })
          .page(),
      { cursor, limit: maxFound - ids.length, signal },
    ),
    number === undefined ? undefined : loadName(number),
  ])
  rememberNames(page.items)
  const allIds = [...ids, ...page.items.map(({ id }) => String(id))]
  return { text, ids: allIds, cursor: allIds.length < maxFound ? page.cursor : undefined }
}

async function readLargest(signal: AbortSignal): Promise<Largest> {
  const { categories, others } = await service().pets.inventory({ limit: maxLargest }, { signal })
  rememberNames(categories.map(({ id, name = null }) => ({ id, name })))
  return {
    counts: new Map(categories.map(({ id, total }) => [String(id), Number(total)])),
    isComplete: Number(others) === 0,
  }
}
