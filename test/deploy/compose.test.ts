import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { settings } from '../../src/cli/shared/config.ts'
import { temporaryFolder } from '../support/engines.ts'
import { argumentOf, compose, graceful, missing, read, root, runProgram, seconds } from './files.ts'

const { services } = compose
const instances = ['petstore-a', 'petstore-b']

test('compose.yaml has two instances of the service, a proxy and PostgreSQL', () => {
  assert.deepEqual(Object.keys(services), [...instances, 'proxy', 'postgres'])
  for (const instance of instances) {
    const { context = '', dockerfile = '' } = services[instance]?.build ?? {}
    assert.ok(existsSync(resolve(root, 'deploy', context, dockerfile)))
  }
  assert.match(services['postgres']?.image ?? '', /^postgres:18/)
})

for (const [name, service] of Object.entries(services)) {
  test(`${name} is confined: read-only, without capabilities, within limits, restarted`, () => {
    assert.equal(service.read_only, true)
    assert.deepEqual(service.cap_drop, ['ALL'])
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'])
    assert.equal(service.restart, 'unless-stopped')
    assert.deepEqual(Object.keys(service.deploy.resources.limits), ['cpus', 'memory', 'pids'])
  })
}

test('only the proxy is published, and only on this machine', () => {
  const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)

  assert.deepEqual(
    published.map(([name]) => name),
    ['proxy'],
  )
  assert.match(services['proxy']?.ports?.[0] ?? '', /^127\.0\.0\.1:/)
})

test('only the instances share the network of the database, which has no way out', () => {
  const inside = Object.entries(services).filter(([, { networks }]) => networks.includes('database'))

  assert.deepEqual(
    inside.map(([name]) => name),
    [...instances, 'postgres'],
  )
  assert.equal(compose.networks['database']?.internal, true)
})

test('every dependency has a health check', () => {
  for (const { depends_on: waitedFor = {} } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(waitedFor)) {
      assert.equal(condition, 'service_healthy')
      const own = services[name]?.healthcheck !== undefined
      assert.ok(own || (instances.includes(name) && argumentOf('HEALTHCHECK') !== ''), name)
    }
  }
})

test('an instance has more time to stop than the service takes', () => {
  assert.equal(graceful, 10)
  for (const instance of instances) {
    assert.ok(seconds(services[instance]?.stop_grace_period ?? '') > graceful)
    assert.equal(services[instance]?.init, true)
  }
})

test('an instance without PETSTORE_DATABASE_URL cannot create a database', () => {
  for (const instance of instances) {
    assert.deepEqual(services[instance]?.tmpfs, [`${argumentOf('VOLUME')}:mode=0555,size=4k`])
    assert.equal(services[instance]?.volumes, undefined)
  }
})

test('no secret is in the file or in an environment', () => {
  const text = read('deploy/compose.yaml')

  assert.doesNotMatch(text, /postgres(ql)?:\/\/|PASSWORD: /)
  for (const { environment = {} } of Object.values(services)) {
    for (const name of Object.keys(environment)) assert.doesNotMatch(name, /PASSWORD$|API_KEY|DATABASE_URL/)
  }
})

test('secrets.sh creates every secret of compose.yaml once', (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'deploy'))
  cpSync(join(root, 'deploy/secrets.sh'), join(folder, 'deploy/secrets.sh'))
  const inFolder = (path: string) => join(folder, 'deploy', path)
  const environmentFile = compose.secrets['petstore-env']?.file ?? ''
  const passwordFile = compose.secrets['postgres-password']?.file ?? ''

  const { status, output } = runProgram('sh', inFolder('secrets.sh'))
  assert.equal(status, 0, output)

  const environment = parseEnv(readFileSync(inFolder(environmentFile), 'utf8'))
  const password = readFileSync(inFolder(passwordFile), 'utf8')
  const url = new URL(environment['PETSTORE_DATABASE_URL'] ?? '')
  const { POSTGRES_USER, POSTGRES_DB } = services['postgres']?.environment ?? {}
  assert.ok(url.hostname in services)
  assert.deepEqual([url.username, url.password, url.pathname], [POSTGRES_USER, password, `/${POSTGRES_DB}`])
  assert.ok(settings.apiKey.read(environment['PETSTORE_API_KEY'] ?? '') !== undefined)
  assert.equal(readFileSync(inFolder('secrets/api-key'), 'utf8'), environment['PETSTORE_API_KEY'])
  // Others read the files, from inside; on this machine nobody else gets that far.
  assert.equal(statSync(inFolder('secrets')).mode & 0o777, 0o700)
  for (const file of [environmentFile, passwordFile]) assert.equal(statSync(inFolder(file)).mode & 0o777, 0o444)

  assert.equal(runProgram('sh', inFolder('secrets.sh')).status, 0)
  assert.equal(readFileSync(inFolder(passwordFile), 'utf8'), password)
  assert.deepEqual(readdirSync(join(folder, 'deploy')), ['secrets', 'secrets.sh'])
})

test('rolling-restart.sh replaces every instance', () => {
  const [, named = ''] = /^for instance in (.*); do$/m.exec(read('deploy/rolling-restart.sh')) ?? []

  assert.deepEqual(named.split(' '), instances)
})

test('docker compose accepts compose.yaml', {
  skip: missing('docker', 'docker with its compose plugin; no engine is needed', 'compose', 'version'),
}, () => {
  const { status, output } = runProgram('docker', 'compose', '-f', 'deploy/compose.yaml', 'config', '--quiet')

  assert.equal(status, 0, output)
})

for (const script of ['secrets.sh', 'rolling-restart.sh']) {
  test(`shellcheck finds nothing in ${script}`, {
    skip: missing('shellcheck', 'the Debian package shellcheck', '--version'),
  }, () => {
    const { status, output } = runProgram('shellcheck', `deploy/${script}`)

    assert.equal(status, 0, output)
  })
}
