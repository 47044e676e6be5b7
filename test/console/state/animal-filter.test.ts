import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animalFilterOf, exportScopeOf, petFilterOf } from '../../../console/state/animal-filter.ts'

test('what is invalid in the address filters nothing, and nothing is said about it', () => {
  const filter = animalFilterOf({ find: '!!', status: 'lost', category: '1.5' })

  assert.deepEqual(petFilterOf(filter), {})
  assert.equal(exportScopeOf(filter), 'All animals of the shop.')
})

test('what an export leaves out is said: an animal that was found by its number', () => {
  const scopes = [{ status: 'none' }, { find: 'rex' }, { find: '7' }].map((query) =>
    exportScopeOf(animalFilterOf(query)),
  )

  const filtered = 'All animals that match the filters, on all pages.'
  assert.deepEqual(scopes, [filtered, filtered, `${filtered} One that was found only by its number is left out.`])
})
