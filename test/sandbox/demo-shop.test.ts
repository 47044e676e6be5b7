import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startSandbox } from '../support/sandbox.ts'

const page = readFileSync(new URL('../../docs/testing-against-it.md', import.meta.url), 'utf8')
const rowsAfter = (heading: string) =>
  (page.split(`${heading}\n|---|---|---|---|`)[1] ?? '')
    .slice(1)
    .split('\n\n')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .replaceAll('|---', '')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.length > 0)

interface Pet {
  id: number
  name: string
  categoryId: number
  status?: string
}

test('the demo shop is the one of docs/testing-against-it.md', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  const categories = (await send('demo', '/categories')).body as { id: number; name: string }[]
  const pets = (await send('demo', '/pets')).body as Pet[]
  const orders = (await send('demo', '/store/orders')).body as Record<string, string | number>[]
  const nameOf = (list: readonly { id: number; name: string }[], id: unknown) =>
    `${String(id)}, ${list.find((one) => one.id === id)?.name}`

  assert.deepEqual(
    pets.map(({ id, name, categoryId, status = 'none' }) => [`${id}`, name, nameOf(categories, categoryId), status]),
    rowsAfter('| id | name | category | status |'),
  )
  assert.deepEqual(
    orders.map(({ id, petId, status, placedAt, customer }) => [
      `${id}`,
      nameOf(pets, petId),
      status,
      placedAt,
      customer,
    ]),
    rowsAfter('| order | animal | status | placed at | customer |'),
  )
})
