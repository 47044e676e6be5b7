import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ours } from '../columns.ts'
import { pageSize, someIds } from '../data.ts'
import { alternate, type Bench, heatUp, requestFile, type Subject } from '../measure.ts'
import type { Sample } from '../samples.ts'
import { memoryOf } from '../processes.ts'
import { count, goal, type Goal, megabytes, ratio, type Section, short } from '../report.ts'
import { fillColumn, makeShop, type Server, type Shop, startServer } from '../servers.ts'
import { distinctPages } from './any-page.ts'
import type { Question } from './question.ts'
import { connections } from './throughput.ts'

const title = 'the same list in shops of different size'

/** Does a page cost the same from a thousand animals and from ten million, and does memory stay where it was? */
export const size: Question = { name: 'size', title, startsServers: true, answer }

const kinds = [
  { name: 'first', title: 'the first', pages: 1 },
  // As many as the smallest shop has, so that each size finds the same share of them in its cache.
  { name: 'spread', title: '1,000 from all over', pages: 1_000 },
  { name: 'any', title: '50,000 from all over', pages: distinctPages },
] as const

interface Sized {
  shop: Shop
  server: Server
}

async function answer(bench: Bench): Promise<Section> {
  const { options, shop: home, say } = bench
  const sized: Sized[] = []
  try {
    for (const animals of options.sizes) {
      say(`filling a shop with ${count(animals)} animals`)
      const folder = join(home.folder, `size-${animals}`)
      mkdirSync(folder)
      const shop = makeShop(folder, animals)
      await fillColumn(ours, shop)
      sized.push({ shop, server: await startServer(ours, shop, options.cores.server) })
    }
    for (const { server, shop } of sized) await heatUp(bench, server, shop)
    return await compare(bench, sized)
  } finally {
    for (const { server } of sized) await server.stop()
  }
}

async function compare(bench: Bench, sized: readonly Sized[]): Promise<Section> {
  const measuredKinds: Map<string, Sample>[] = []
  const notes: string[] = []
  for (const kind of kinds) {
    const subjects = sized.map((each) => subject(each, kind))
    const measured = await alternate(bench, subjects)
    measuredKinds.push(measured.samples)
    notes.push(...measured.notes.map((note) => `${kind.title}: ${note}`))
  }

  const lines = kinds.flatMap((kind, index) => {
    const samples = measuredKinds[index] as Map<string, Sample>
    // Where a shop has fewer pages than are asked for, its answers come from the cache: nothing to compare with.
    const comparable = sized.filter(({ shop }) => shop.animals >= kind.pages)
    const base = comparable[0] && samples.get(nameOf(comparable[0].shop))
    return sized.flatMap((each) => {
      const sample = samples.get(nameOf(each.shop))
      if (sample === undefined) return []
      const times = base !== undefined && comparable.includes(each) ? sample.cpu / base.cpu : undefined
      const { perSecond, p50, p99, cpu } = sample
      return [
        [kind.title, count(each.shop.animals), count(perSecond), short(p50), short(p99), short(cpu), ratio(times)],
      ]
    })
  })
  const memory = sized.map(({ shop, server }) => {
    const [idle, loaded] = [megabytes(server.idleMemory), megabytes(memoryOf(server.pid))]
    return `Resident memory with ${nameOf(shop)}: ${idle} after the start, ${loaded} after the load.`
  })
  return {
    name: 'size',
    title,
    meaning:
      'Ours alone. The ratio is to the smallest shop that has that many pages. A thousand pages fit into the cache of ' +
      'encoded pages, fifty thousand do not: those are read from the database.',
    head: ['pages', 'animals', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', '× smallest'],
    lines,
    notes: [...memory, ...notes],
    goals: goals(sized, measuredKinds),
  }
}

function subject({ shop, server }: Sized, kind: (typeof kinds)[number]): Subject {
  const paths =
    kind.pages === 1 ? [ours.dialect.list] : someIds(kind.pages, shop.animals - pageSize).map(ours.dialect.after)
  const file = requestFile(
    shop,
    kind.name,
    paths.map((path) => ({ method: 'GET', path })),
  )
  return { name: nameOf(shop), server, streams: [{ requests: file, connections, expected: 200 }] }
}

function nameOf({ animals }: Shop): string {
  return `${count(animals)} animals`
}

function goals(sized: readonly Sized[], measuredKinds: readonly Map<string, Sample>[]): Goal[] {
  const [small, large] = [sized[0], sized.at(-1)]
  if (small === undefined || large === undefined) return []
  const byKind = kinds.slice(0, 2).flatMap((kind, index) => {
    const [few, many] = [measuredKinds[index]?.get(nameOf(small.shop)), measuredKinds[index]?.get(nameOf(large.shop))]
    if (few === undefined || many === undefined) return []
    const times = many.cpu / few.cpu
    const text = `list 20, page ${kind.title}, ${nameOf(large.shop)}: the CPU at ${count(small.shop.animals)} within 10 %`
    return [goal(text, ratio(times), times <= 1.1)]
  })
  const loaded = Math.max(...sized.map(({ server }) => memoryOf(server.pid)))
  return [...byKind, goal('memory after load below 200 MB', megabytes(loaded), loaded < 200e6)]
}
