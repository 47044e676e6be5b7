import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Client, types } from 'pg'
import { encodePet, encodePets, type NewPet } from '../../src/contract/pet.ts'
import type { Statement } from '../../src/storage/postgres/connection/statement.ts'
import { petColumns, type PetRow, toPet } from '../../src/storage/shared/rows/pet-row.ts'
import type { CreatePet } from '../../src/inventory/rules/create-pet.ts'
import { ruleBatch } from '../../src/storage/postgres/rules/rule-writes.ts'
import { lists } from '../../src/storage/postgres/reads/lists.ts'
import { begin } from '../../src/storage/postgres/connection/begin.ts'
import { commit, lockCounters } from '../../src/storage/postgres/writes/transaction.ts'
import { pageSize } from '../data.ts'
import { histogram } from '../histogram.ts'
import type { Job, Outcome } from '../load.ts'

// The limit: what the driver does with the same statements when nothing stands around it. It takes the load's jobs
// itself and has as many callers as the load has connections; what they ask was made into statements and values
// beforehand. Reads go over four connections, each sent without waiting for the one before. Creates go over one, in
// groups of as many as there are callers, a group after the other: what the service's writer makes of busy clients.
// Rows are read as the service reads them, and thrown away. No key, no rules, no JSON. HTTP only for the first answer.

const { DATABASE_URL = '', PORT = '' } = process.env
const readers = 4

// The service asks for several at once, for all who ask in one tick; alone it would be this.
const one: Statement = { name: 'pet', text: `SELECT ${petColumns} FROM pets WHERE id = $1` }

type Query = readonly [statement: Statement, values: readonly unknown[]]

interface Connection {
  client: Client
  socket: Socket
}

const int8 = 20
const exact = {
  getTypeParser: (oid: number, format?: 'text') => (oid === int8 ? BigInt : types.getTypeParser(oid, format)),
} as unknown as typeof types

async function connect(): Promise<Connection> {
  const socket = new Socket()
  const client = new Client({ connectionString: DATABASE_URL, stream: () => socket, pipeline: true, types: exact })
  await client.connect()
  return { client, socket }
}

const [writer, ...reading] = (await Promise.all(Array.from({ length: 1 + readers }, connect))) as [
  Connection,
  ...Connection[],
]
let nextReader = 0

async function send({ client }: Connection, [{ name, text }, values]: Query): Promise<unknown[][]> {
  const { rows } = await client.query({ ...(name && { name }), text, values: values as unknown[], rowMode: 'array' })
  return rows
}

function read(query: Query): Promise<unknown[][]> {
  return send(reading[nextReader++ % readers] as Connection, query)
}

/** One transaction in one round trip. */
async function write(queries: readonly Query[]): Promise<unknown[][][]> {
  writer.socket.cork()
  const answers = [[begin, []] as const, [lockCounters, []] as const, ...queries, [commit, []] as const].map((query) =>
    send(writer, query),
  )
  writer.socket.uncork()
  return (await Promise.all(answers)).slice(2, -1)
}

/** The statement behind the address of a list or of one animal. */
function queryOf(path: string): Query {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const id = /^\/v1\/pets\/(\d+)$/.exec(pathname)?.[1]
  return id === undefined
    ? [lists.inline.id({}).statement, [searchParams.get('after') ?? 0, pageSize + 1]]
    : [one, [id]]
}

function creationOf(body: string): CreatePet {
  const pet = JSON.parse(body) as Omit<NewPet, 'categoryId'> & { categoryId: number }
  return { pet: { ...pet, categoryId: BigInt(pet.categoryId) }, at: Date.now() }
}

function creationStatements(creations: readonly CreatePet[]): Query[] {
  const { statements } = ruleBatch(creations.map((creation) => ['createPet', creation]))
  return statements.map(([statement, values = []]) => [statement, values])
}

/** All that is to be asked, in turn, and how many requests each of them stands for. */
interface Work {
  asks: (() => Promise<unknown>)[]
  callers: number
  requestsEach: number
}

function workIn(file: string, callers: number): Work {
  const requests = JSON.parse(readFileSync(file, 'utf8')) as string[]
  if (!requests[0]?.startsWith('POST')) {
    const queries = requests.map((request) => queryOf(request.split(' ', 2)[1] ?? ''))
    return { asks: queries.map((query) => () => read(query)), callers, requestsEach: 1 }
  }
  const creations = requests.map((request) => creationOf(request.slice(request.indexOf('\r\n\r\n') + 4)))
  const groups = Array.from({ length: Math.floor(creations.length / callers) }, (_, nth) =>
    creationStatements(creations.slice(nth * callers, (nth + 1) * callers)),
  )
  return {
    asks: groups.map((statements) => () => write(statements)),
    callers: 1,
    requestsEach: callers,
  }
}

const works = new Map<string, Work>()

async function run({ milliseconds, streams }: Job): Promise<Outcome> {
  const [{ requests, connections }] = streams as [Job['streams'][0]]
  const name = `${requests} ${connections}`
  const work = works.get(name) ?? workIn(requests, connections)
  works.set(name, work)
  const { asks, callers, requestsEach } = work
  const latencies = histogram()
  const end = performance.now() + milliseconds
  let next = 0
  let answered = 0
  let answeredInTime = 0

  async function sendRepeatedly(): Promise<void> {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await asks[next++ % asks.length]?.()
      const now = performance.now()
      latencies.add(now - start)
      answered += requestsEach
      if (now <= end) answeredInTime += requestsEach
    }
  }
  await Promise.all(Array.from({ length: callers }, sendRepeatedly))

  const [p50, p99] = [latencies.quantile(0.5), latencies.quantile(0.99)]
  const perSecond = answeredInTime / (milliseconds / 1000)
  return { streams: [{ perSecond, answered, p50, p99, wrong: 0 }], loadShare: 0 }
}

async function answer(method: string, url: string, body: string): Promise<string> {
  if (method === 'POST') {
    const creation = creationOf(body)
    const [rows = []] = await write(creationStatements([creation]))
    return encodePet({ id: (rows[0] as [before: bigint])[0] + 1n, ...creation.pet })
  }
  const query = queryOf(url)
  const pets = ((await read(query)) as PetRow[]).map(toPet)
  return query[0] === one ? encodePet(pets[0] as NonNullable<(typeof pets)[0]>) : encodePets(pets.slice(0, pageSize))
}

createServer(async (request, response) => {
  const body = await answer(request.method as string, request.url as string, await text(request))
  response.writeHead(request.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' })
  response.end(body)
}).listen(Number(PORT), '127.0.0.1')

process.on('message', (job: Job) => {
  void run(job).then((outcome) => process.send?.(outcome))
})
process.on('disconnect', () => process.exit())
