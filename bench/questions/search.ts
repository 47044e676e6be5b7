import { animal, type Animal, pageSize, someIds } from '../data.ts'
import { distinctPages } from './any-page.ts'
import { count, goal } from '../report.ts'
import { equals, throughput } from './throughput.ts'

export const search = throughput({
  name: 'search',
  title: 'search by name',
  meaning:
    'The next 20 animals with the name of one from anywhere in the data, 50,000 different pages. The others have no search.',
  expected: 200,
  requests({ search: pathOf }, { animals, middle }) {
    if (pathOf === undefined) return undefined
    return [middle, ...someIds(distinctPages, animals - pageSize)].map((id) => ({
      method: 'GET',
      path: pathOf(animal(id + 1).name, id),
    }))
  },
  check: equals(({ middle, animals }) => namesakes(middle, animals)),
  goals(samples) {
    const { cpu = Number.NaN, databaseCpu = 0 } = samples.get('ours') ?? {}
    const [most, whose] = databaseCpu > 0 ? [4_000, 'ours and of PostgreSQL'] : [1_000, 'ours']
    const all = cpu + databaseCpu
    return [goal(`search by name: CPU, ${whose}, at most ${count(most)} µs`, `${count(all)} µs`, all <= most)]
  },
})

/** The first page of those that have the name of the animal after this id, with it. */
function namesakes(after: number, animals: number): Animal[] {
  const { name } = animal(after + 1)
  const found: Animal[] = []
  for (let id = after + 1; id <= animals && found.length < pageSize; id++) {
    if (animal(id).name === name) found.push(animal(id))
  }
  return found
}
