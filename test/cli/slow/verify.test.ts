import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { main, run, runProcess, startCommand } from '../../support/service.ts'
import { bareKey, BareShop, serveBare } from '../../verify/bare-shop.ts'

const fast = ['--rate', '100000', '--timeout', '60']

test('petstore verify judges another process, prints a report and ends with 0', async (t) => {
  const { origin, makeKey } = await startApp(t, { environment: 'staging' })
  const { secret } = await makeKey()

  const { code, stdout, stderr } = await runProcess(t, ['verify', '--url', `${origin}/v1`, '--key', secret, ...fast])

  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /C-4\.1-1 +at most 20 animals without a limit, with a status and without one\n/)
  assert.match(stdout, /\d+ judged, 0 failed, 0 not judged/)
  assert.ok(!stdout.includes(secret))
})

test('petstore verify ends with 1 if a rule is broken, and writes JSON, JUnit and HTML', async (t) => {
  const cwd = temporaryFolder(t)
  const shop = new BareShop()
  const url = await serveBare(t, (request) => ({ ...shop.handle(request), type: 'text/plain' }))
  const files = ['--junit', 'verify.xml', '--html', 'verify.html']
  const args = ['verify', '--url', url.href, '--key', bareKey, '--only', 'C-4-1', '--json', ...files, ...fast]

  const { code, stdout } = await run(t, args, { cwd })

  const { results } = JSON.parse(stdout) as { results: Record<string, string>[] }
  assert.equal(code, 1)
  // Responses to an animal's id and to requests without the key, which each run sends, break two others.
  assert.deepEqual(
    results.map(({ id }) => id),
    ['C-4-1', 'C-4-4', 'C-4-5'],
  )
  assert.equal(results[0]?.['outcome'], 'failed')
  assert.equal(results[0]?.['sent'], `curl -i -H "Authorization: Bearer \${KEY}" '${url.href}/pets'`)
  assert.match(readFileSync(join(cwd, 'verify.xml'), 'utf8'), /<failure/)
  assert.match(readFileSync(join(cwd, 'verify.html'), 'utf8'), /C-4-1/)
})

test('petstore verify takes a base address with a slash, an empty query or an empty fragment at its end', async (t) => {
  const shop = new BareShop()
  const url = await serveBare(t, (request) => shop.handle(request))

  for (const end of ['/', '?', '#', '/?#']) {
    const args = ['verify', '--url', `${url.href}${end}`, '--key', bareKey, '--only', 'C-4.1-2', ...fast]
    assert.equal((await run(t, args)).code, 0, end)
  }
})

test('petstore verify ends with 2 for wrong arguments and for a server that does not respond', async (t) => {
  const { app, origin } = await startApp(t)
  await app.close()
  const url = ['--url', `${origin}/v1`]
  const key = ['--key', 'k']
  const refusals: [string[], RegExp][] = [
    [[], /required option '--url <address>' not specified/],
    [[...url], /required option '--key <key>' not specified/],
    [[...url, ...key, '--fast'], /unknown option '--fast'/],
    [['--url', 'ftp://shop/v1', ...key], /--url must be a base address/],
    [['--url', 'http://u:p@shop/v1', ...key], /--url must not contain a user or a password/],
    [[...url, '--key', 'a b'], /--key must be printable/],
    [[...url, ...key, '--level', 'strict'], /--level must be contract, recommended or full, got "strict"/],
    [[...url, ...key, '--only', 'C-0'], /--only must be the number of a check/],
    [[...url, ...key, '--seed', '-1'], /--seed must be an integer/],
    [[...url, ...key, '--rate', '0'], /--rate must be an integer from 1/],
    [[...url, ...key, '--category', '9223372036854775808'], /--category must be an integer of 64 bits/],
    [[...url, ...key, '--timeout', 'x'], /--timeout must be an integer from 1 to 600/],
    [[...url, ...key, '--json', '--html', '/nowhere/verify.html'], /--html: \/nowhere\/verify\.html cannot be written/],
  ]
  for (const [args, reason] of refusals) {
    const { code, stderr } = await run(t, ['verify', ...args])
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, reason)
  }

  const { code, stdout } = await run(t, ['verify', ...url, ...key])
  assert.equal(code, 2)
  assert.equal(stdout.trim(), 'Nothing was judged. The server refused the connection.')
})

test('petstore verify does not run with a key of production without a terminal, unless --yes is given', async (t) => {
  const { origin, key, answered } = await startApp(t)
  const args = ['verify', '--url', `${origin}/v1`, '--key', key, '--only', 'C-4.1-2', ...fast]

  const refused = await run(t, args)
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /this is a key of production: add --yes/)
  assert.equal(answered.length, 0)

  assert.equal((await run(t, [...args, '--yes'])).code, 0)
})

const noScript = !existsSync('/usr/bin/script') && 'NOT TESTED: there is no script command of util-linux here'

for (const [answer, exitCode, wanted] of [
  ['n', 2, /nothing was sent\./],
  ['y', 0, /1 judged, 0 failed/],
] as const) {
  test(`on a terminal petstore verify asks before a key of production: ${answer}`, { skip: noScript }, async (t) => {
    const { origin, key, answered } = await startApp(t)
    const command = ['verify', '--url', `${origin}/v1`, '--key', key, '--only', 'C-4.1-2', ...fast]
    const line = [process.execPath, main, ...command].map((part) => `'${part}'`).join(' ')
    const child = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], { stdio: 'pipe', cwd: temporaryFolder(t) })
    t.after(() => child.kill('SIGKILL'))
    const closed = once(child, 'close')
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    while (!output.includes('Go on? (y/N)')) {
      const ended = closed.then(() => assert.fail(output))
      await Promise.race([once(child.stdout, 'data'), ended])
    }
    assert.equal(answered.length, 0)

    child.stdin.write(`${answer}\n`)
    const [code] = await closed

    assert.equal(code, exitCode, output)
    assert.match(output, wanted)
    assert.equal(answered.length > 0, answer === 'y')
  })
}

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`petstore verify skips the rest after ${signal}, removes what it added and ends with ${exitCode}`, async (t) => {
    const shop = new BareShop()
    const url = await serveBare(t, (request) => {
      // In the middle of a check: many follow.
      if (request.query.get('limit') === '7') child.kill(signal)
      if (request.method !== 'DELETE') return shop.handle(request)
      shop.pets = shop.pets.filter(({ id }) => request.path !== `/v1/pets/${id}`)
      return { status: 204, type: '', body: '' }
    })
    const { child, closed, output } = startCommand(t, ['verify', '--url', url.href, '--key', bareKey, ...fast])

    const [code] = await closed

    assert.equal(code, exitCode)
    assert.match(output.stdout, /C-7-3 .*not judged: the run was interrupted/)
    assert.match(output.stdout, /Removed the \d+ animals/)
    assert.deepEqual(shop.pets, [])
  })
}
