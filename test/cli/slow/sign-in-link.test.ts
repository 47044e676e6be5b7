import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startService } from '../../support/service.ts'

/** Where the console is, as the welcome has it. */
function consoleIn({ stdout }: { stdout: string }): URL {
  return new URL(/Console +(\S+)/.exec(stdout)?.[1] ?? '')
}

function redeem(origin: string, code: string): Promise<Response> {
  return fetch(`${origin}/console/sign-in`, {
    method: 'POST',
    // A connection of its own, so that it meets any of the workers.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ code }),
  })
}

for (const args of [[], ['--workers', '3']]) {
  test(`the first start prints a link that signs in with its key, once: ${args.join(' ') || 'one process'}`, async (t: TestContext) => {
    const { origin, key, output } = await startService(t, { args })
    const { hash, origin: linked } = consoleIn(output)
    const code = /^#sign-in=(\S{24})$/.exec(hash)?.[1] ?? ''

    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(origin, code)))

    assert.equal(linked, origin)
    const good = answers.filter(({ status }) => status === 200)
    assert.equal(good.length, 1)
    assert.deepEqual(await good[0]?.json(), { key })
    assert.ok(!output.stderr.includes(code))
  })
}

test('a later start prints where the console is, without a code', async (t) => {
  const first = await startService(t)
  await first.stop()

  const { output, origin } = await startService(t, { cwd: first.cwd })

  assert.equal(consoleIn(output).href, `${origin}/`)
})

test('a service that listens everywhere prints a link to this machine', async (t) => {
  const { output } = await startService(t, { env: { PETSTORE_HOST: '0.0.0.0' } })

  assert.equal(consoleIn(output).hostname, '127.0.0.1')
})
