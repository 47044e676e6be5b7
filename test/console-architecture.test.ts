import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientSources, pathsOf, refuseImports, refuseCircles, sources, sourcesIn } from './support/sources.ts'

const pages = sourcesIn('console', /\.tsx?$/)

/** Files of the client and the service for the console too. They import no schema library and nothing of Node. */
const sharedFiles = [
  'client/src/deadline.ts',
  'client/src/random-id.ts',
  'src/contract/body-limit.ts',
  'src/contract/operation.ts',
  'src/contract/pet-status-after.ts',
  'src/transfer/formats/csv-record.ts',
]

/** The rooms of the console, and what each may import beside itself. Every one may import Preact and the files above. */
const consoleArrows: Record<string, readonly string[]> = {
  'console/main.tsx': ['console/views'],
  'console/sandbox.tsx': ['console/views', 'console/state'],
  'console/guides.ts': ['console/guides'],
  'console/guides': ['console/state'],
  'console/views': ['console/components', 'console/state', 'console/api', 'client/src/index.ts'],
  'console/components': ['console/state', 'console/api', 'client/src/index.ts'],
  'console/state': ['console/api', 'client/src/index.ts'],
  'console/api': ['client/src/index.ts', 'client/src/sandbox.ts'],
}

test('the console imports its own rooms downwards, the client, Preact and a few shared files, and nothing else', () => {
  for (const { path, imports } of pages) {
    const room = path.split('/').slice(0, 2).join('/')
    const allowed = [room, 'preact', ...sharedFiles, ...(consoleArrows[room] ?? [])]
    const others = imports.filter((target) => !allowed.some((one) => target === one || target.startsWith(`${one}/`)))
    assert.deepEqual(others, [], path)
  }
})

test('the console and the client have no import cycles, also not of types', () => {
  refuseCircles(pages)
  refuseCircles(clientSources)
})

test('nothing imports the console: it is served, not run', () => {
  refuseImports(sources, (target) => target.startsWith('console/'))
})

test('no file of the console has a way to turn text into markup or code', () => {
  const forbidden =
    /innerHTML|dangerouslySetInnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
  const found = pages.filter(({ text }) => forbidden.test(text))

  assert.deepEqual(pathsOf(found), [])
})

test('the console stores nothing beyond a session but preferences', () => {
  const keepers = pages.filter(({ text }) => /localStorage|indexedDB|document\.cookie|\bcaches\b/.test(text))

  assert.deepEqual(pathsOf(keepers), ['console/state/preferences.ts'])
})
