import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { shortcuts } from '../../../console/state/shortcuts.ts'
import { isOffered, viewNames, viewOf, views } from '../../../console/state/views.ts'
import { sandboxOperations } from '../../../src/sandbox/operations.ts'
import { views as visited } from '../../support/console-views.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>
}

test('a view is shown to the keys that may call the operation it needs', () => {
  const known = new Set([
    ...Object.values(document.paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId)),
    ...sandboxOperations.map(({ id }) => id),
  ])
  const needed = Object.values(views).flatMap((view) => ('needs' in view ? [view.needs] : []))

  assert.deepEqual(
    needed.filter((operation) => !known.has(operation)),
    [],
  )
  assert.ok(isOffered('orders', (operation) => operation === 'listOrders'))
  assert.ok(!isOffered('orders', () => false))
  assert.ok(isOffered('stock', () => false))
})

test('a view is in the navigation, or under one that is', () => {
  const inNavigation = new Set<string>(viewNames.filter((name) => 'icon' in views[name]))

  for (const [name, view] of Object.entries(views)) {
    assert.ok('under' in view ? inNavigation.has(view.under) : inNavigation.has(name), name)
  }
})

test('no two shortcuts have the same key', () => {
  const keys = shortcuts.map(({ key }) => key)

  assert.deepEqual(keys, [...new Set(keys)])
})

test('only names of views are addresses of views', () => {
  assert.deepEqual(
    viewNames.map((name) => viewOf(name)),
    viewNames,
  )
  assert.equal(viewOf('constructor'), undefined)
})

test('the tests of the console open every view; that of a sandbox has a test of its own', () => {
  const opened = new Set(visited.map(({ path }) => path.slice('#/'.length).replace(/\?.*/, '')))

  assert.deepEqual(
    viewNames.filter((name) => !opened.has(name)),
    ['sandbox'],
  )
})
