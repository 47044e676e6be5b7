import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notify, undoNoticed } from '../../../console/state/notices.ts'
import { shortcuts } from '../../../console/state/shortcuts.ts'

test('z undoes what a notice offers to undo, says so, and undoes nothing else', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const undone: string[] = []
  notify('Rex was saved', { text: 'Undo', act: () => undone.push('Rex') })
  notify('Order 1 was placed', { text: 'See the order', href: '#/orders?order=1' })

  assert.deepEqual([undoNoticed(), undoNoticed()], [true, false])
  assert.deepEqual(undone, ['Rex'])
  assert.equal(shortcuts.find(({ key }) => key === 'z')?.does, 'Undo, while a notice offers it')
})
