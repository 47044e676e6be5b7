import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { type Config, readConfig, settings } from '../../src/cli/shared/config.ts'
import { compose, deployed, imageEnvironment, read } from './files.ts'

const variables = new Set(Object.values(settings).map(({ variable }) => variable))

for (const path of deployed) {
  const named = [...new Set(read(path).match(/PETSTORE_[A-Z0-9_]*[A-Z0-9]/g))]
  if (named.length === 0) continue
  test(`${path} names only known settings`, () => {
    assert.deepEqual(
      named.filter((variable) => !variables.has(variable)),
      [],
    )
  })
}

test('the settings of the image are valid, and it listens on all addresses', () => {
  const config = readConfig(imageEnvironment)

  assert.equal(config.host, '0.0.0.0')
  assert.equal(config.databaseUrl, 'sqlite:./data/petstore.db')
})

test('the settings of compose.yaml are valid', () => {
  for (const service of ['petstore-a', 'petstore-b']) {
    const environment = compose.services[service]?.environment ?? {}
    const unset = Object.entries(environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-\}$/, '')])

    assert.equal(readConfig(Object.fromEntries(unset)).logLevel, 'info')
  }
})

test('the settings of the systemd unit are valid', () => {
  const lines = read('deploy/petstore.service').matchAll(/^Environment=(\w+)=(.*)$/gm)

  const config: Config = readConfig(Object.fromEntries([...lines].map(([, name, value]) => [name, value])))

  assert.equal(config.databaseUrl, 'sqlite:/var/lib/petstore/petstore.db')
})

/** The chart runs on PostgreSQL, whose URL is in a secret, and its ingress ends TLS. */
const notInChart = /DATABASE_URL$|^PETSTORE_(BACKUP|TLS)_/

test('the chart supports every setting', () => {
  const schema = JSON.parse(read('deploy/helm/petstore/values.schema.json')) as {
    properties: { settings: { properties: object } }
  }
  const template = read('deploy/helm/petstore/templates/deployment.yaml')
  const set = [...template.matchAll(/- name: (PETSTORE_\w+)/g)].map(([, variable]) => variable)
  const settable = Object.keys(schema.properties.settings.properties)

  assert.deepEqual(
    settable.filter((variable) => set.includes(variable)),
    [],
    'set twice',
  )
  const known = new Set([...set, ...settable])
  assert.deepEqual(
    [...variables].filter((variable) => !known.has(variable) && !notInChart.test(variable)),
    [],
    'not in values.schema.json',
  )
})

test('the chart gives the service the port and the address of the image', () => {
  const template = read('deploy/helm/petstore/templates/deployment.yaml')
  const set = [...template.matchAll(/- name: (PETSTORE_\w+)\n +value: (?!\{)(.*)/g)]

  const environment = Object.fromEntries(set.map(([, name, value]) => [name, String(parse(value as string))]))

  const ofTheService = Object.entries(imageEnvironment).filter(([name]) => name.startsWith('PETSTORE_'))
  assert.deepEqual(environment, Object.fromEntries(ofTheService))
})
