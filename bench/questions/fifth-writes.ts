import { page, pageSize, someIds } from '../data.ts'
import { distinctPages } from './any-page.ts'
import { newAnimals } from './create.ts'
import { equals, type Throughput, throughput } from './throughput.ts'

/** Every fifth request is a create, the others are pages: so most pages are the first after a change. */
export const mixing: Throughput = {
  name: 'writes-20',
  title: 'any page, every fifth request a create',
  meaning: 'Pages from all over the data, 50,000 different ones, and a new animal after each four of them.',
  expected: [200, 201],
  requests(dialect, { animals, middle }) {
    const creates = newAnimals(dialect)
    if (creates === undefined) return undefined
    const pages = [middle, ...someIds(distinctPages, animals - pageSize)]
    return pages.flatMap((id, index) => {
      const read = { method: 'GET' as const, path: dialect.after(id) }
      const create = creates[Math.floor(index / 4) % creates.length]
      return index % 4 === 3 && create !== undefined ? [read, create] : [read]
    })
  },
  check: equals(({ middle }) => page(middle)),
}

export const fifthWrites = throughput(mixing)
