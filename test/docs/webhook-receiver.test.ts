import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/engines.ts'
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

/** A sender that resets the connection before, in and after its request. Ends when every thread of the receiver has. */
const resetting = `
import socket, struct, sys
for sent in [b'', b'POST / HTTP/1.1\\r\\n', b'POST / HTTP/1.1\\r\\nContent-Length: 9\\r\\n\\r\\n{', b'POST / HTTP/1.1\\r\\nContent-Length: 0\\r\\n\\r\\n']:
    sender = socket.create_connection(server.server_address)
    sender.sendall(sent)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    sender.close()
try:
    urllib.request.urlopen(f'http://127.0.0.1:{server.server_port}/', b'{}', timeout=30)
except urllib.error.HTTPError as error:
    print(error.code)
for thread in threading.enumerate():
    if 'process_request_thread' in thread.name:
        thread.join()
server.shutdown()
server.server_close()
`

test('the receiver of the guide in Python is silent about a sender that resets its connection, and goes on', (t) => {
  if (python === undefined) return t.skip('NOT TESTED: there is no python3')
  const receiver = readGuide(guide).find(({ language }) => language === 'py')?.code ?? ''
  const environment = { ...process.env, PORT: '0', SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }

  const { stdout, stderr } = spawnSync(python, ['-'], {
    input: receiver + resetting,
    encoding: 'utf8',
    env: environment,
    cwd: temporaryFolder(t),
  })

  assert.deepEqual({ stdout, stderr }, { stdout: '400\n', stderr: '' })
})
