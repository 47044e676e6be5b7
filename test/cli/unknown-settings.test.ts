import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unknownSettings } from '../../src/cli/shared/unknown-settings.ts'
import { startService } from '../support/service.ts'

const misspelled: [string, string][] = [
  ['PETSTORE_PROT', 'PETSTORE_PROT is not a setting and is ignored: did you mean PETSTORE_PORT?'],
  ['PETSTORE_BASEURL', 'PETSTORE_BASEURL is not a setting and is ignored: did you mean PETSTORE_BASE_URL?'],
  ['PETSTORE_APIKEY', 'PETSTORE_APIKEY is not a setting and is ignored: did you mean PETSTORE_API_KEY?'],
  ['PETSTORE_COLOUR_SCHEME', 'PETSTORE_COLOUR_SCHEME is not a setting and is ignored.'],
]
for (const [name, sentence] of misspelled) {
  test(`a variable that is no setting is named, with the nearest setting: ${name}`, () => {
    assert.deepEqual(unknownSettings({ [name]: '1', PETSTORE_PORT: '8080', PATH: '/bin' }), [sentence])
  })
}

const injected = [
  'PETSTORE_SERVICE_HOST',
  'PETSTORE_SERVICE_PORT',
  'PETSTORE_SERVICE_PORT_HTTP',
  'PETSTORE_PORT_8080_TCP',
  'PETSTORE_PORT_8080_TCP_ADDR',
  'PETSTORE_POSTGRES_SERVICE_HOST',
  'PETSTORE_POSTGRES_PORT_5432_TCP_PROTO',
]
for (const name of injected) {
  test(`a variable that Kubernetes sets for a Service is not reported: ${name}`, () => {
    assert.deepEqual(unknownSettings({ [name]: 'tcp://10.0.0.1:8080' }), [])
  })
}

test('the service starts with a misspelled setting and says so on standard error', async (t) => {
  const { output } = await startService(t, { env: { PETSTORE_PROT: '1' } })

  assert.match(
    output.stderr,
    /^petstore: PETSTORE_PROT is not a setting and is ignored: did you mean PETSTORE_PORT\?$/m,
  )
})
