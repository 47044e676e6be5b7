import { ask } from './api.js'
import { categoriesReady, categoryNames } from './categories.js'
import { countPets } from './pets.js'
import { createStore, useStore } from './store.js'

export const statuses = ['available', 'pending', 'sold']

const mostCategories = 8
/** In milliseconds. In between, only the categories that are shown are counted anew. */
const surveyEvery = 60_000

/** How many animals there are: undefined until counted. The service counts; no animals are loaded for it. */
const counts = createStore({})

export function useCounts() {
  return useStore(counts)
}

export function forgetCounts() {
  counts.set({})
  survey = { ids: [], at: Number.NEGATIVE_INFINITY }
}

let counting
let again = false
/** The ids of the categories that are worth counting, and when that was found out. */
let survey = { ids: [], at: Number.NEGATIVE_INFINITY }

/** Counts anew. Asked while it counts, it counts once more afterwards, however often it was asked. */
export function count() {
  again = counting !== undefined
  const started = performance.now()
  counting ??= countAll()
    .then(
      (found) => counts.set({ ...found, at: Date.now() }),
      (problem) => counts.update({ problem }),
    )
    .finally(() => {
      counting = undefined
      // Not at once: in a busy shop that would be without end, and a slow service is not to be kept busy by counting.
      if (again) setTimeout(count, Math.max(1000, 10 * (performance.now() - started)))
    })
  return counting
}

async function countAll() {
  const [total, ...byStatus] = await Promise.all([countPets(), ...statuses.map((status) => countPets({ status }))])
  const known = byStatus.reduce((sum, some) => sum + some, 0)
  const status = { available: byStatus[0], pending: byStatus[1], sold: byStatus[2], none: total - known }
  return { total, status, categories: await countCategories(total) }
}

/** The largest of the categories that are known. */
async function countCategories(total) {
  const isDue = performance.now() - survey.at > surveyEvery
  const ids = isDue ? await knownCategories() : survey.ids
  const counted = []
  // A few at a time: a browser has six connections, and other questions are waiting too.
  const waiting = [...ids]
  async function work() {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      counted.push({ id, animals: await countPets({ categoryId: id }) })
    }
  }
  await Promise.all([work(), work(), work()])
  const largest = counted
    .filter(({ animals }) => animals > 0)
    .toSorted((a, b) => b.animals - a.animals || a.id.localeCompare(b.id, 'en', { numeric: true }))
    .slice(0, mostCategories)
  survey = { ids: largest.map(({ id }) => id), at: isDue ? performance.now() : survey.at }
  const others = total - largest.reduce((sum, { animals }) => sum + animals, 0)
  return { largest, others: Math.max(0, others) }
}

/** Those with a name, and those of the first animals: the service has no list of all that are in use. */
async function knownCategories() {
  await categoriesReady()
  const ids = new Set([...categoryNames().keys()].slice(0, 24))
  const { body: first } = await ask('/v1/pets?limit=100')
  for (const { categoryId } of first) if (ids.size < 32) ids.add(String(categoryId))
  return [...ids]
}
