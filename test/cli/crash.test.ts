import assert from 'node:assert/strict'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Engine, postgres, sqlite, temporaryFolder } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'
import { type Service, startService } from '../support/service.ts'

interface Creation {
  name: string
  /** Sent as the Idempotency-Key. */
  attempt?: string
}
interface Animal {
  id: number
  name: string
  categoryId: number
  status: string
}

const key = 'a-key-that-outlives-the-crashes'
/** `npm run test:crash` asks for many more. */
const cycles = Number(process.env['PETSTORE_CRASH_CYCLES'] ?? 5)
const clients = 16

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: kill -9 under load loses and alters nothing that was acknowledged, and does nothing twice`, (t) =>
    crash(t, engine))
}

async function crash(t: TestContext, engine: Engine): Promise<void> {
  const cwd = temporaryFolder(t)
  const url = await engine.url(t)
  const env = { PETSTORE_API_KEY: key, PETSTORE_LOG_LEVEL: 'silent', PETSTORE_DATABASE_URL: url }
  const acknowledged = new Map<string, Animal>()
  let unanswered: Creation[] = []
  let sent = 0

  for (let cycle = 0; cycle < cycles; cycle++) {
    const service = await startService(t, { cwd, env })
    const retries = unanswered.filter(({ attempt }) => attempt !== undefined)
    const lost: Creation[] = unanswered.filter(({ attempt }) => attempt === undefined)

    const client = async () => {
      while (service.child.exitCode === null && service.child.signalCode === null) {
        const name = `pet ${++sent}`
        const creation = retries.pop() ?? { name, ...(sent % 2 === 0 && { attempt: `attempt ${sent}` }) }
        const animal = await create(service, creation).catch(() => undefined)
        if (animal === undefined) lost.push(creation)
        else acknowledged.set(creation.name, animal)
      }
    }
    const running = Array.from({ length: clients }, client)
    await wait(100 + Math.random() * 500)
    service.child.kill('SIGKILL')
    await once(service.child, 'close')
    await Promise.all(running)
    unanswered = [...lost, ...retries]
  }

  const service = await startService(t, { cwd, env })
  const found = await allAnimals(service)
  const replayed = await Promise.all(
    [...acknowledged.values()]
      .filter(({ name }) => Number(name.slice(4)) % 2 === 0)
      .slice(-50)
      .map(({ name }) => create(service, { name, attempt: `attempt ${name.slice(4)}` })),
  )
  await service.stop()

  const byName = Map.groupBy(found, ({ name }) => name)
  assert.ok(acknowledged.size > cycles * clients, `only ${acknowledged.size} were acknowledged`)
  assert.ok(unanswered.length > 0, 'no crash met a request in flight')
  for (const [name, animal] of acknowledged) assert.deepEqual(byName.get(name), [animal])
  for (const [name, animals] of byName) assert.equal(animals.length, 1, `${name} was created twice`)
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
  for (const animal of replayed) assert.deepEqual(animal, acknowledged.get(animal.name))
  await assertIntegrity(url, found.length)
}

async function create({ origin }: Service, { name, attempt }: Creation): Promise<Animal> {
  const answer = await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(attempt !== undefined && { 'idempotency-key': attempt }),
    },
    body: JSON.stringify({ name, categoryId: name.length, status: 'pending' }),
  })
  assert.equal(answer.status, 201)
  return (await answer.json()) as Animal
}

async function allAnimals({ origin }: Service): Promise<Animal[]> {
  const found: Animal[] = []
  let next: string | undefined = `${origin}/v1/pets?limit=100`
  while (next !== undefined) {
    const answer: Response = await fetch(next, { headers: { authorization: `Bearer ${key}` } })
    found.push(...((await answer.json()) as Animal[]))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return found
}

async function assertIntegrity(url: string, animals: number): Promise<void> {
  if (url.startsWith('postgres:')) {
    // No id is wasted, not even by a crash.
    const [row] = await runSql(
      url,
      'SELECT count(*)::int, max(id)::int, (SELECT sum(animals)::int FROM pet_counts) FROM pets',
    )
    return assert.deepEqual(row, [animals, animals, animals])
  }
  const db = new DatabaseSync(url.slice('sqlite:'.length))
  try {
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok')
  } finally {
    db.close()
  }
}
