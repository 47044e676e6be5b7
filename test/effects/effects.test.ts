import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { missingEffects } from './check.ts'
import type { Document, Parameter } from './document.ts'

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')

test('every documented member, parameter, filter and header has an effect', async (t) => {
  assert.deepEqual(await missingEffects(t, JSON.parse(text) as Document), [])
})

test('what is documented and not implemented is found', async (t) => {
  const document = JSON.parse(text) as Document
  const { Pet, NewPet, PetChange } = document.components.schemas
  const color = { type: 'string', enum: ['red', 'blue'] }
  for (const schema of [Pet, NewPet, PetChange]) Object.assign(schema?.properties ?? {}, { color })
  const list = document.paths['/pets']?.['get']?.parameters ?? []
  const invented: Parameter[] = [
    { name: 'color', in: 'query', schema: color },
    { name: 'shape', in: 'query', schema: { type: 'string' } },
    { name: 'X-Color', in: 'header', schema: { type: 'string' } },
  ]
  list.push(...invented)
  const prefer = list.find(({ name }) => name === 'Prefer')
  Object.assign(prefer ?? {}, { description: `${prefer?.description} \`color=bright\` does nothing.` })

  document.paths['/colors'] = { get: { operationId: 'listColors', responses: {} } }

  const missing = await missingEffects(t, document)

  assert.deepEqual(missing, [
    'listPets: color=bright has no effect',
    'listPets: the parameter color has no effect',
    'listPets: the parameter shape has no effect',
    'listPets: X-Color has no effect',
    'listColors: a valid request is refused with 404',
    ...['createPet', 'updatePet'].flatMap((operation) =>
      ['red', 'blue'].flatMap((value) => [
        `${operation}: color "${value}" is not in the response`,
        `${operation}: color "${value}" is lost when it is read again`,
      ]),
    ),
    ...['application/x-ndjson', 'text/csv'].flatMap((type) => [
      `importPets: color of ${type} is lost`,
      `exportPets: color is not in ${type}`,
    ]),
    'Pet: no response has color',
  ])
})
