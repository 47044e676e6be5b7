import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ours, oursByNpm } from '../columns.ts'
import type { Column } from '../dialect.ts'
import type { Bench } from '../measure.ts'
import { medianOf } from '../samples.ts'
import { count, goal, type Goal, ratio, type Section } from '../report.ts'
import { fillColumn, makeShop, startServer } from '../servers.ts'
import type { Question } from './question.ts'

const title = 'start-up, to the first answer'

/** How long does one wait after the command? */
export const startUp: Question = { name: 'start', title, startsServers: true, answer }

async function answer(bench: Bench): Promise<Section> {
  const { options, say } = bench
  const folder = join(bench.shop.folder, 'start')
  mkdirSync(folder)
  const shop = makeShop(folder, bench.shop.animals)
  const subjects = subjectsOf(bench)
  const times = new Map<Subject, number[]>(subjects.map((subject) => [subject, []]))
  for (const column of new Set(subjects.map(({ filledBy }) => filledBy))) await fillColumn(column, shop)

  for (let round = 0; round <= options.rounds; round++) {
    for (const subject of subjects) {
      // Not counted: a start that fills the caches of the system.
      if (round === 0 && subject.isUncompiled) continue
      say(`start ${round}: ${subject.title}`)
      const compiled = subject.isUncompiled ? { compiled: join(shop.folder, `uncompiled-${round}`) } : {}
      const place = { folderOf: subject.filledBy.name, ...compiled }
      const server = await startServer(subject.column, shop, options.cores.server, place)
      await server.stop()
      if (round > 0) times.get(subject)?.push(server.startUp)
    }
  }

  const medians = subjects.map((subject) => ({ ...subject, milliseconds: medianOf(times.get(subject) ?? []) }))
  return {
    name: 'start',
    title,
    meaning:
      'From the command to the first right answer to list 20, in a shop of 100,000 animals, all on one core. "Uncompiled" is ' +
      'the first start after an install that ran no scripts; otherwise the install has compiled everything.',
    head: ['server', 'ms'],
    lines: medians.map(({ title, milliseconds }) => [title, count(milliseconds)]),
    notes: [],
    goals: goals(medians),
  }
}

interface Subject {
  title: string
  column: Column
  /** Whose data it is started on. */
  filledBy: Column
  /** Finds no code that was compiled before. */
  isUncompiled?: true
}

function subjectsOf({ columns }: Bench): Subject[] {
  const peers = columns.filter((column) => column !== ours)
  const own: Subject[] = [
    { title: 'ours, `node src/cli/start.js serve`', column: ours, filledBy: ours },
    { title: 'ours, `npm start`', column: oursByNpm, filledBy: ours },
    { title: 'ours, `npm start`, uncompiled', column: oursByNpm, filledBy: ours, isUncompiled: true },
  ]
  return [
    ...(columns.includes(ours) ? own : []),
    ...peers.map((column) => ({ title: column.title, column, filledBy: column })),
  ]
}

function goals(medians: readonly { column: Column; title: string; milliseconds: number }[]): Goal[] {
  const bare = medians.find(({ column }) => column.name === 'bare')
  const own = medians.find(({ column }) => column === ours)
  if (bare === undefined || own === undefined) return []
  const times = own.milliseconds / bare.milliseconds
  return [goal(`start-up of ${own.title}: at most 2 × ${bare.title}`, ratio(times), times <= 2)]
}
