import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropDraft, dropDrafts, readDraft, setDraft } from '../../../console/state/drafts.ts'
import { tabStorage } from '../../../console/state/tab-storage.ts'

test('a draft that was sent is dropped, with its stored text', () => {
  setDraft('pet-1', { name: 'Rex' })

  dropDraft('pet-1', readDraft('pet-1'))

  assert.equal(readDraft('pet-1'), undefined)
  assert.ok(!tabStorage.keys().includes('petstore-draft-pet-1'))
})

test('text that was typed while a draft was sent stays', () => {
  setDraft('pet-1', { name: 'Rex' })
  const sent = readDraft('pet-1')
  setDraft('pet-1', { name: 'Max' })

  dropDraft('pet-1', sent)

  assert.deepEqual(readDraft('pet-1'), { name: 'Max' })
})

test('a draft is read from the storage of the tab, and a damaged one counts as none', () => {
  tabStorage.set('petstore-draft-pet-2', '{"name":"Tom"}')
  tabStorage.set('petstore-draft-pet-3', '{"name":')

  assert.deepEqual(readDraft('pet-2'), { name: 'Tom' })
  assert.equal(readDraft('pet-3'), undefined)
})

test('all drafts are dropped for the next user, and nothing else', () => {
  setDraft('pet-4', { name: 'Rex' })
  tabStorage.set('petstore-shortcuts', 'off')

  dropDrafts()

  assert.equal(readDraft('pet-4'), undefined)
  assert.equal(tabStorage.get('petstore-shortcuts'), 'off')
})
