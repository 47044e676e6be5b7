import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { RequestCaller } from '../../../src/http/request/caller.ts'
import type { ApiKey } from '../../../src/inventory/keys.ts'
import type { Reservation } from '../../../src/inventory/byte-budget.ts'

function callerOf(outgoing: EventEmitter & { destroyed?: boolean }): RequestCaller {
  const key: ApiKey = { id: 'a', name: 'a', permission: 'read', createdAt: 0 }
  return new RequestCaller({
    findings: { key },
    response: { outgoing: outgoing as ServerResponse, maxTextBytes: Infinity },
    reservation: {} as Reservation,
  })
}

test('the signal of a caller is aborted when its response is closed', () => {
  const outgoing = new EventEmitter()
  const caller = callerOf(outgoing)
  const { signal } = caller

  assert.equal(caller.signal, signal)
  assert.ok(!signal.aborted)
  outgoing.emit('close')
  assert.ok(signal.aborted)
})

test('the signal of a caller that has left before is aborted at once', () => {
  assert.ok(callerOf(Object.assign(new EventEmitter(), { destroyed: true })).signal.aborted)
})
