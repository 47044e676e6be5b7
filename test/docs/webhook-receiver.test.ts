import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPython, readGuide } from '../support/guide.ts'

const guide = join(import.meta.dirname, '../../docs/guides/webhooks.md')
const python = findPython()

/** Headers that a stranger may send, and bodies. */
const hostile = `
secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
now = str(int(time.time()))
for timestamp in ['', '-1', '1e9', '²', '9' * 400, '9' * 5000, '0' * 400, now + '.5', now]:
    for signature in ['', 'v1,', 'v1', ' ', 'v1,' + 'A' * 43 + '=', 'v1,é', 'v2,x v1,y']:
        for body in [b'', b'{}', bytes([0xff, 0xfe]), b'[' * 100000]:
            try:
                verify(body, {'webhook-id': '1', 'webhook-timestamp': timestamp, 'webhook-signature': signature}, secrets)
                print('accepted')
            except ValueError:
                pass
print('done')
`

test('the receiver of the guide in Python refuses whatever a stranger sends, and never breaks', (t) => {
  if (python === undefined) return t.skip('NOT TESTED: there is no python3')
  const receiver = readGuide(guide).find(({ language }) => language === 'py')?.code ?? ''
  const verify = receiver.slice(0, receiver.indexOf('def store'))

  const printed = execFileSync(python, ['-'], { input: verify + hostile, encoding: 'utf8' })

  assert.equal(printed, 'done\n')
})
