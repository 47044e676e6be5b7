import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Document, generate, generateSandbox, sandboxDocument } from '../../client/codegen/generate.ts'
import { operations } from '../../client/src/contract.ts'
import { sandboxOperations } from '../../client/src/sandbox-contract.ts'

const client = new URL('../../client/', import.meta.url)
const document = JSON.parse(readFileSync(new URL('../openapi.json', client), 'utf8')) as Document

test('the types of the client match openapi.json (`npm run generate` in client/ writes them)', () => {
  const committed = readFileSync(new URL('src/contract.ts', client), 'utf8')

  assert.equal(committed, generate(document))
})

test('the types of the sandbox match its document (`npm run generate` in client/ writes them)', () => {
  const committed = readFileSync(new URL('src/sandbox-contract.ts', client), 'utf8')

  assert.equal(committed, generateSandbox(sandboxDocument(), document))
})

test('every operation has a method in the client', () => {
  const files = readdirSync(new URL('src/', client)).filter((name) => !name.endsWith('contract.ts'))
  const source = files.map((name) => readFileSync(new URL(`src/${name}`, client), 'utf8')).join('\n')

  const missing = [...Object.keys(operations), ...Object.keys(sandboxOperations)].filter(
    (id) => !source.includes(`operations.${id}`),
  )

  assert.deepEqual(missing, [])
})

test('the generator refuses an unknown schema', () => {
  const odd = { paths: {}, components: { schemas: { Odd: { type: 'string', not: {} } } } }
  const unknown = { paths: {}, components: { schemas: { Odd: { type: 'odd' } } } }

  assert.throws(() => generate(odd), /keywords not are not known/)
  assert.throws(() => generate(unknown), /type odd is not known/)
})
