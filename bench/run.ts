import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ofCheckout, ours } from './columns.ts'
import type { Column } from './dialect.ts'
import { startLoader } from './loader.ts'
import { describeMachine, stolen } from './machine.ts'
import { type Bench, heatUp } from './measure.ts'
import { readOptions, usage } from './options.ts'
import { memoryOf } from './processes.ts'
import type { Question } from './questions/question.ts'
import {
  goal,
  type Goal,
  heading,
  markdown,
  megabytes,
  ratio,
  type Run,
  type Section,
  sectionLines,
  summaryLines,
} from './report.ts'
import { fillColumn, makeShop, type Server, startServer } from './servers.ts'
import { choose, installPeers, keepToCore, requireLinux, temporaryFolder } from './setup.ts'
import { postgresSuite } from './suites/postgres.ts'
import { sqliteSuite } from './suites/sqlite.ts'
import type { Suite } from './suites/suite.ts'

const home = fileURLToPath(new URL('.', import.meta.url))

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const options = readOptions(args, home)
  if (options === 'help') return console.log(usage)
  const suite = options.postgres ? postgresSuite() : sqliteSuite
  const chosenColumns = choose('--only', columnsOf(suite, options.against), options.only)
  const chosenQuestions = choose('--rows', suite.questions, options.rows)
  requireLinux(options)
  installPeers()

  const folder = temporaryFolder('petstore-bench-', options.folder)
  keepToCore(options.cores.load)
  const database = await suite.start?.(folder)
  const run: Run = {
    title: suite.title,
    base: suite.base.title,
    command: ['node bench/run.ts', ...args].join(' '),
    machine: [],
    sections: [],
    notes: [],
    failures: [],
  }
  run.machine = describeMachine(folder, suite.software(), suite.placement(options.cores))
  if ((loadavg()[0] ?? 0) > 0.5) run.notes.push('The machine was not idle before the run: distrust times and rates.')
  console.log([...run.machine, ...run.notes, ''].join('\n'))

  const runnable = chosenColumns.filter((column) => canRun(column, run))
  const before = stolen(options.cores.server)
  const loader = startLoader(options.cores.load, folder)
  const shop = makeShop(folder, options.animals)
  const { base, goals } = suite
  const shared = database === undefined ? {} : { database }
  await answerAll(
    chosenQuestions,
    { options, loader, columns: runnable, shop, servers: [], base, goals, say, ...shared },
    run,
  )
  await loader.stop()
  await suite.stop?.()
  const after = stolen(options.cores.server)
  const share = (after.stolen - before.stolen) / (after.all - before.all)
  run.notes.push(`Time that the host took from the server's core during the run: ${(share * 100).toFixed(1)} %`)

  console.log(['', ...summaryLines(run)].join('\n'))
  if (options.results !== undefined) {
    writeFileSync(options.results, markdown(run))
    console.log(`Written to ${options.results}`)
  }
  const failed = run.sections.some(({ notes }) => notes.some((note) => note.includes('failed**')))
  if (failed || run.failures.length > 0) process.exitCode = 1
}

function columnsOf({ columns }: Suite, against: string | undefined): readonly Column[] {
  if (against === undefined) return columns
  return columns.flatMap((column) => (column.name === ours.name ? [column, ofCheckout(column, against)] : [column]))
}

async function answerAll(questions: readonly Question[], bench: Bench, run: Run): Promise<void> {
  const { options, columns, shop } = bench
  const shared = questions.filter(({ startsServers }) => startsServers !== true)
  if (shared.length > 0) {
    const servers: Server[] = []
    for (const column of columns) {
      try {
        say(`filling and starting ${column.title}`)
        await fillColumn(column, shop)
        const server = await startServer(column, shop, options.cores.server)
        servers.push(server)
        await heatUp(bench, server, shop)
      } catch (error) {
        run.failures.push(String(error))
      }
    }
    for (const question of shared) await answer(question, { ...bench, servers }, run)
    run.sections.push(memory(servers))
    for (const server of servers) await server.stop()
  }
  for (const question of questions) if (question.startsServers === true) await answer(question, bench, run)
}

async function answer(question: Question, bench: Bench, run: Run): Promise<void> {
  console.log(heading(`${question.title} …`))
  try {
    const section = await question.answer(bench)
    run.sections.push(section)
    say('')
    console.log(sectionLines(section).slice(2).join('\n'))
  } catch (error) {
    if (!bench.loader.isRunning()) throw error
    // The other rows are still worth having.
    run.failures.push(`${question.title}: ${String(error)}`)
  }
}

function memory(servers: readonly Server[]): Section {
  return {
    name: 'memory',
    title: 'memory',
    meaning: 'Resident, of all processes of a server, with 100,000 animals: after the start, and after all rows above.',
    head: ['server', 'idle', 'after'],
    lines: servers.map(({ column, idleMemory, pid }) => [
      column.title,
      megabytes(idleMemory),
      megabytes(memoryOf(pid)),
    ]),
    notes: [],
    goals: memoryGoals(servers),
  }
}

function memoryGoals(servers: readonly Server[]): Goal[] {
  const [own, bare] = ['ours', 'bare'].map((name) => servers.find(({ column }) => column.name === name))
  if (own === undefined || bare === undefined) return []
  const times = own.idleMemory / bare.idleMemory
  return [goal(`memory idle: at most 1.2 × ${bare.column.title}`, ratio(times), times <= 1.2)]
}

function canRun(column: Column, run: Run): boolean {
  const reason = column.missing?.()
  if (reason === undefined) return true
  const note = `Skipped ${column.title}: ${reason}.`
  run.notes.push(note)
  console.log(note)
  return false
}

/** Progress, on a line of its own that the next one replaces; nothing where nobody watches. */
function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

try {
  await main()
  process.exit()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
