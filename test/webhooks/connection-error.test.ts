import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { connectionError, isOwnLack } from '../../src/webhooks/connection-error.ts'

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' })

for (const [name, error, words] of [
  ['an error has its message', refused('10.0.0.7:80'), 'connect ECONNREFUSED 10.0.0.7:80'],
  [
    'several addresses have the error of the first',
    Object.assign(new AggregateError([refused('::1:80'), refused('127.0.0.1:80')]), { code: 'ECONNREFUSED' }),
    'connect ECONNREFUSED ::1:80',
  ],
  ['an error without a message has its code', Object.assign(new Error(''), { code: 'EPIPE' }), 'EPIPE'],
  ['an error with neither has no words', new Error(''), ''],
  ['what is no error is its text', 'cut', 'cut'],
  ['an empty list of errors is its text', new AggregateError([]), 'undefined'],
  [
    'an error of OpenSSL has its reason alone',
    new Error('408C:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl/record.c:354:\n'),
    'TLS failed: wrong version number',
  ],
  [
    'OpenSSL may name no function',
    new Error('408C:error:0A000410:SSL routines::handshake failure:../ssl/record.c:1599:SSL alert number 40\n'),
    'TLS failed: handshake failure',
  ],
  ['a text about SSL is none of OpenSSL', new Error('no SSL routines: none'), 'no SSL routines: none'],
] as const) {
  test(`why a connection failed: ${name}`, () => {
    assert.equal(connectionError(error), words)
  })
}

const failed = (code: string, syscall = 'connect') => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

/** Runs `work` while the process can open no file. */
function withoutFiles<Result>(t: TestContext, work: () => Result): Result {
  const { mock } = t.mock.method(fs, 'openSync', () => {
    throw failed('EMFILE', 'open')
  })
  syncBuiltinESMExports()
  try {
    return work()
  } finally {
    mock.restore()
    syncBuiltinESMExports()
  }
}

test('a connection that this machine has no descriptor or memory for is its own lack, also at one of several addresses', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) assert.ok(isOwnLack(failed(code)), code)

  assert.ok(isOwnLack(new AggregateError([failed('ECONNREFUSED'), failed('EMFILE')])))
  assert.ok(!isOwnLack(new AggregateError([failed('ECONNREFUSED'), failed('EHOSTUNREACH')])))
  assert.ok(!isOwnLack('EMFILE'))
})

test('a name server that refuses is a lack of this machine only if it can open no file', (t) => {
  const silent = failed('ECONNREFUSED', 'queryA')
  const others = [failed('ECONNREFUSED'), failed('ENOTFOUND', 'queryA'), Object.assign(new Error(), { code: 'EPIPE' })]

  assert.ok(!isOwnLack(silent))
  assert.deepEqual(
    withoutFiles(t, () => [silent, ...others].map(isOwnLack)),
    [true, false, false, false],
  )
  assert.ok(!isOwnLack(silent))
})
