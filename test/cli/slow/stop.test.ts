import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rawRequest } from '../../support/app.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { freePort } from '../../support/ports.ts'
import { databaseIn, main, startCommand, startService } from '../../support/service.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { createInFlight, untilPortIsClosed } from '../../support/stopping.ts'
import { until } from '../../support/until.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const key = 'a-key-of-the-operators-own'
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

interface Started {
  child: ChildProcess
  origin: string
  folder: string
  exited: Promise<[code: number | null, signal: string | null]>
}

/** Starts the service by any command, with a standard error of the test's choice, and waits for its welcome. */
async function startBy(
  t: TestContext,
  command: string,
  args: string[],
  {
    stderr = 'ignore',
    cwd,
    detached = false,
  }: { stderr?: number | 'ignore' | 'pipe'; cwd?: string; detached?: boolean } = {},
): Promise<Started> {
  const folder = temporaryFolder(t)
  const child = spawn(command, args, {
    cwd: cwd ?? folder,
    detached,
    stdio: ['ignore', 'pipe', stderr] satisfies StdioOptions,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      TMPDIR: process.env['TMPDIR'] ?? '/tmp',
      PETSTORE_PORT: '0',
      PETSTORE_API_KEY: key,
      PETSTORE_DATABASE_URL: databaseIn(folder),
    },
  })
  t.after(() => {
    // A launcher that is killed takes nobody with it; its group does.
    if (detached) killGroup(child)
    else child.kill('SIGKILL')
  })
  const exited = once(child, 'exit') as Started['exited']
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  while (!/Reference +http/.test(output)) {
    await Promise.race([
      once(child.stdout as NodeJS.ReadableStream, 'data'),
      exited.then(() => assert.fail(`It did not start: ${output}`)),
    ])
  }
  return { child, origin: /API +(http:\S+)\/v1/.exec(output)?.[1] ?? '', folder, exited }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-Number(pid), 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}

/** Makes the service write so many log lines of about 200 bytes. */
async function causeLog(origin: string, lines: number): Promise<void> {
  async function ask(): Promise<void> {
    for (let count = 0; count < lines / 20; count++) {
      const answer = await fetch(`${origin}/v1/pets`, { headers })
      assert.equal(answer.status, 200)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 20 }, ask))
}

async function exitOf({ exited }: Started, withinMs: number) {
  return Promise.race([exited, wait(withinMs, ['still running'], { ref: false })])
}

for (const args of [['serve'], ['sandbox', '--port', '0']])
  test(`${args[0]} ends if the process that starts it is gone before it is ready`, async (t) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: temporaryFolder(t),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PETSTORE_PORT: '0' },
    })
    t.after(() => child.kill('SIGKILL'))
    child.disconnect()

    await until(() => child.exitCode !== null)
    assert.equal(child.exitCode, 0)
  })

test('a service that is told to stop as soon as its port is open answers the request that waits', async (t) => {
  const cwd = temporaryFolder(t)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const { child } = startCommand(t, ['serve'], {
    cwd,
    // What starts after the port is open.
    env: {
      PETSTORE_PORT: `${port}`,
      PETSTORE_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      PETSTORE_BACKUP_FOLDER: cwd,
      PETSTORE_API_KEY: key,
    },
  })
  const exited = once(child, 'exit')
  const socket = await untilConnected(port)

  socket.end(rawRequest('GET /v1/pets', ['Host: shop.example', `Authorization: Bearer ${key}`]))
  child.kill('SIGTERM')

  assert.match(await text(socket), /^HTTP\/1\.1 200 OK/)
  assert.deepEqual(await exited, [0, null])
})

async function untilConnected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    if (await once(socket, 'connect').catch(() => undefined)) return socket
    await wait(1)
  }
}

test('a service whose log nobody reads goes on answering, and stops when it is told to: a socket', async (t) => {
  const service = await startBy(t, process.execPath, [main, 'serve'], { stderr: 'pipe' })
  await causeLog(service.origin, 2_000)

  service.child.kill('SIGTERM')

  assert.deepEqual(await exitOf(service, 9_000), [0, null])
})

test('a service whose log nobody reads goes on answering, and stops when it is told to: a pipe', async (t) => {
  const fifo = join(temporaryFolder(t), 'log')
  if (spawnSync('mkfifo', [fifo]).status !== 0) return t.skip('no named pipes here')
  const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  t.after(() => closeSync(reading))
  const writing = openSync(fifo, 'w')
  const service = await startBy(t, process.execPath, [main, 'serve'], { stderr: writing })
  closeSync(writing)
  await causeLog(service.origin, 2_000)

  service.child.kill('SIGTERM')

  assert.deepEqual(await exitOf(service, 9_000), [0, null])
})

test('a service whose log reader has gone goes on answering', async (t) => {
  const service = await startBy(t, process.execPath, [main, 'serve'], { stderr: 'pipe' })
  service.child.stderr?.destroy()

  await causeLog(service.origin, 2_000)
  service.child.kill('SIGTERM')

  assert.deepEqual(await exitOf(service, 9_000), [0, null])
})

test('lines for a reader that is too far behind are dropped and counted', async (t) => {
  const module = JSON.stringify(new URL('../../../src/cli/serving/log/stderr.ts', import.meta.url))
  const program = `
    import { once } from 'node:events'
    import { openStderr } from ${module}
    const output = openStderr({ maxWaitingBytes: 100_000, droppedLine: (count) => 'dropped ' + count + '\\n' })
    for (let line = 0; line < 1_000; line++) output.write('x'.repeat(999) + '\\n')
    process.stdout.write('written')
    await once(process.stdin, 'data')
    await output.flush(10_000)
    output.write('last\\n')
    process.stdin.destroy()
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  child.stdin.write('go on')
  await once(child, 'close')

  const lines = log.trimEnd().split('\n')
  const [dropped = ''] = lines.splice(-2)
  assert.match(dropped, /^dropped [1-9]\d*$/)
  assert.equal(lines.length + Number(dropped.split(' ')[1]), 1_000)
  assert.ok(log.endsWith('last\n'))
})

test('a log on a full disk does not harm the service, and is written again once there is room', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return
  const path = join(disk, 'log')
  const file = openSync(path, 'a')
  const service = await startBy(t, process.execPath, [main, 'serve'], { stderr: file })
  closeSync(file)
  writeFileSync(join(disk, 'filler'), Buffer.alloc(1_900 * 1024))
  await causeLog(service.origin, 2_000)
  rmSync(join(disk, 'filler'))

  await fetch(`${service.origin}/livez`, { headers: { 'x-request-id': 'with-room-again' } })
  await until(() => readFileSync(path, 'utf8').includes('with-room-again'))
  service.child.kill('SIGTERM')

  assert.deepEqual(await exitOf(service, 9_000), [0, null])
})

test('a service on a full disk stops with code 0', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return
  writeFileSync(join(disk, 'filler'), Buffer.alloc(512 * 1024))
  const service = await startService(t, { env: { PETSTORE_DATABASE_URL: databaseIn(disk) } })
  const init = {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${service.key}` },
    body: JSON.stringify({ name: 'x'.repeat(900), categoryId: 1 }),
  }
  let status = 201
  while (status === 201) status = (await fetch(`${service.origin}/v1/pets`, init)).status
  assert.equal(status, 503)

  assert.equal(await service.stop(), 0, service.output.stderr.split('\n').slice(-5).join('\n'))
})

test('one Ctrl-C that reaches the launcher and the service is one: a create in flight gets its 201', async (t) => {
  const service = await startBy(t, process.execPath, [join(root, 'bin/petstore.js'), 'serve'], { detached: true })
  const databaseFile = join(service.folder, 'petstore.db')
  const { answer, finish } = await createInFlight(t, { origin: service.origin, key, databaseFile })

  process.kill(-Number(service.child.pid), 'SIGINT')
  await untilPortIsClosed(service.origin)
  finish()

  assert.equal((await answer()).status, 201)
  assert.deepEqual(await exitOf(service, 9_000), [0, null])
})

test('SIGKILL to the launcher ends the service too', async (t) => {
  const service = await startBy(t, process.execPath, [join(root, 'bin/petstore.js'), 'serve'], { detached: true })

  service.child.kill('SIGKILL')
  await service.exited

  await untilPortIsClosed(service.origin)
})

test('SIGTERM to npm start ends the service too', async (t) => {
  const service = await startBy(t, 'npm', ['start'], { cwd: root, detached: true })

  service.child.kill('SIGTERM')
  await service.exited

  await untilPortIsClosed(service.origin)
})
