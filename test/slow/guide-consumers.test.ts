import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { temporaryFolder } from '../support/engines.ts'
import { findPython, prepareProject, readersEnvironment, readGuide } from '../support/guide.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const page = join(import.meta.dirname, '../../docs/guides/events.md')
const commands = {
  'consumer.sh': ['bash', readPages],
  'consumer.ts': [process.execPath, readStock],
  'consumer.py': [findPython(), readStock],
} as const

test('a consumer of the guide to events that is killed misses nothing and does nothing twice', async (t) => {
  const root = temporaryFolder(t)
  prepareProject(root)
  const { origin, key } = await startService(t, { args: ['--demo'] })
  const url = `${origin}/v1`
  const blocks = readGuide(page).filter(({ file }) => file !== undefined)
  assert.deepEqual(
    blocks.map(({ file }) => file),
    Object.keys(commands),
  )

  for (const { file = '', code } of blocks) {
    const [command, read] = commands[file as keyof typeof commands]
    const skip = command === undefined && 'NOT TESTED: there is no python3'
    await t.test(file, { skip }, async (t) => {
      const folder = join(root, file)
      mkdirSync(folder)
      writeFileSync(join(folder, file), code)
      const env = readersEnvironment(root, url, key)
      const start = () => startConsumer(t, command ?? '', file, folder, env)
      const shop = shopOf(url, key)
      const position = join(folder, 'position')

      const first = start()
      await until(() => existsSync(position) && readFileSync(position, 'utf8').includes('-'))
      const early = readFileSync(position, 'utf8')
      const changes = shop.change(40)
      await until(() => readFileSync(position, 'utf8') !== early)
      await kill(first) // In the middle of the changes.
      await changes
      const second = start()
      await shop.change(5)
      const end = await shop.end()
      await until(() => readFileSync(position, 'utf8').trim() === end)
      await kill(second)
      const seen = read(folder)

      // What a crash between the work and the position leaves behind: the work is done, the position is an older one.
      writeFileSync(position, early)
      const third = start()
      await until(() => readFileSync(position, 'utf8').trim() === end)
      await kill(third)

      assert.deepEqual(seen, await shop.stock())
      assert.deepEqual(read(folder), seen)
    })
  }
})

function startConsumer(
  t: TestContext,
  command: string,
  file: string,
  cwd: string,
  env: Record<string, string>,
): ChildProcess {
  // A group of its own: what a shell has started ends with it.
  const child = spawn(command, [file], { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  t.after(() => child.exitCode === null && child.signalCode === null && process.kill(-(child.pid ?? 0), 'SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  assert.equal(child.exitCode, null)
  const ended = once(child, 'exit')
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await ended
}

interface Event {
  id: string
  sequence: string
  type: string
  data: { id: number; name: string; status?: string }
}

/** The animals in the folder of a consumer, by id. */
function readStock(folder: string): Record<string, string> {
  const files = readdirSync(join(folder, 'stock')).filter((name) => !name.endsWith('.new'))
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, 'stock', name), 'utf8')]))
}

/** The animals according to the events in the stored pages. */
function readPages(folder: string): Record<string, string> {
  const events = readdirSync(join(folder, 'pages')).flatMap(
    (name) => JSON.parse(readFileSync(join(folder, 'pages', name), 'utf8')) as Event[],
  )
  const byId = new Map(events.map((event) => [Number(event.sequence), event]))
  assert.deepEqual(
    [...byId.keys()].toSorted((a, b) => a - b),
    Array.from(byId.keys(), (_, index) => index + 1),
  )
  const stock: Record<string, string> = {}
  for (const id of [...byId.keys()].toSorted((a, b) => a - b)) {
    const { type, data } = byId.get(id) as Event
    if (type === 'petstore.pet.deleted') delete stock[data.id]
    else if (type.startsWith('petstore.pet.')) stock[data.id] = describe(data)
  }
  return stock
}

function describe({ name, status = 'no status' }: Event['data']): string {
  return `${name}, ${status}`
}

function shopOf(url: string, key: string) {
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(url + path, init)
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return response
  }
  return {
    /** Adds animals, changes half of them and removes a third. */
    async change(count: number): Promise<void> {
      for (let index = 0; index < count; index++) {
        const made = await send('POST', '/pets', { name: `Animal ${index}`, categoryId: 7, status: 'available' })
        const { id } = (await made.json()) as { id: number }
        if (index % 2 === 0) await send('POST', '/store/orders', { petId: id })
        else if (index % 3 === 0) await send('DELETE', `/pets/${id}`)
      }
    },
    /** The position after the last event. */
    async end(): Promise<string> {
      const newest = (await (await send('GET', '/events?sort=-id&limit=1')).json()) as Event[]
      return (await send('GET', `/events?after=${newest[0]?.id}`)).headers.get('event-position') ?? ''
    },
    async stock(): Promise<Record<string, string>> {
      const text = await (await send('GET', '/pets/export?format=ndjson')).text()
      const pets = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Event['data'])
      return Object.fromEntries(pets.map((pet) => [String(pet.id), describe(pet)]))
    },
  }
}
