import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { memoryOf } from '../../../bench/processes.ts'
import { answerNames } from '../../../bench/servers/same-bytes.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { freePort } from '../../support/ports.ts'
import { databaseIn, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const linux = { skip: process.platform === 'linux' ? false : 'reads the memory of a process from /proc' }
const bare = fileURLToPath(new URL('../../../bench/servers/bare.ts', import.meta.url))
/** The last change that was noticed by this made it 1.59 before, and 1.27 after. */
const maxRatio = 1.35

function start(t: TestContext, env: Record<string, string> = {}) {
  return startService(t, { env: { PETSTORE_DATABASE_URL: databaseIn(temporaryFolder(t)), ...env } })
}

test('a service that nobody has used has loaded no client for HTTP, no HTTP/2 and no TLS', async (t) => {
  const folder = temporaryFolder(t)
  const list = join(folder, 'modules.json')
  const probe = join(folder, 'probe.mjs')
  writeFileSync(
    probe,
    `import { writeFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) process.on('exit', () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList)))`,
  )
  const { stop } = await start(t, { NODE_OPTIONS: `--import=${pathToFileURL(probe).href}` })

  assert.equal(await stop(), 0)

  const loaded = JSON.parse(readFileSync(list, 'utf8')) as string[]
  assert.ok(loaded.includes('NativeModule http'))
  assert.deepEqual(
    loaded.filter((name) => /^NativeModule (internal\/deps\/undici|http2|https|tls)\b/.test(name)),
    [],
  )
})

test(`the memory of an idle service is at most ${maxRatio} times that of bare node:http`, linux, async (t) => {
  const folder = temporaryFolder(t)
  for (const name of answerNames) writeFileSync(join(folder, `${name}.json`), '[]')
  const port = await freePort()
  const floor = spawn(process.execPath, [bare], { env: { BYTES: folder, PORT: `${port}` }, stdio: 'ignore' })
  t.after(() => floor.kill('SIGKILL'))
  await until(() =>
    fetch(`http://127.0.0.1:${port}/v1/pets`).then(
      () => true,
      () => false,
    ),
  )
  // The first start may have to compile what changed since the last one, and keeps it when it ends.
  await (await start(t)).stop()

  const { child, origin } = await start(t)
  assert.equal((await fetch(`${origin}/livez`)).status, 200)

  const [ours, theirs] = [memoryOf(child.pid as number), memoryOf(floor.pid as number)]
  t.diagnostic(`${Math.round(ours / 1e6)} MB, bare ${Math.round(theirs / 1e6)} MB`)
  assert.ok(ours < maxRatio * theirs, `${(ours / theirs).toFixed(2)} times`)
})
