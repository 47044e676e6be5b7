import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Config, baseUrls, readConfig, settings } from '../../src/cli/shared/config.ts'
import { Failure } from '../../src/cli/shared/failure.ts'
import { newKeySecret } from '../../src/inventory/key-secret.ts'

const defaults: Partial<Config> = {
  host: '127.0.0.1',
  port: 8080,
  databaseUrl: 'sqlite:./data/petstore.db',
  environment: 'production',
  trustProxy: false,
  stability: 'experimental',
  mcp: 'on',
  webhooksAllowPrivate: 'false',
  eventRetentionMs: 30 * 86_400_000,
  backupEveryMs: 86_400_000,
  backupKeep: 7,
  drainSeconds: 0,
  logLevel: 'info',
}

const liveKey = newKeySecret('production')

const server = '://rex:secret@db.example:5432/pets?sslmode=verify-full&pooler=transaction'

const accepted: [variable: string, text: string, name: keyof Config, value: unknown][] = [
  ['PETSTORE_HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['PETSTORE_HOST', '::1', 'host', '::1'],
  ['PETSTORE_PORT', '0', 'port', 0],
  ['PETSTORE_PORT', '65535', 'port', 65535],
  ['PETSTORE_PORT', '08080', 'port', 8080],
  [
    'PETSTORE_DATABASE_URL',
    'sqlite:/var/lib/petstore/petstore.db',
    'databaseUrl',
    'sqlite:/var/lib/petstore/petstore.db',
  ],
  ['PETSTORE_DATABASE_URL', 'sqlite::memory:', 'databaseUrl', 'sqlite::memory:'],
  ['PETSTORE_DATABASE_URL', 'postgres://localhost/pets', 'databaseUrl', 'postgres://localhost/pets'],
  ['PETSTORE_DATABASE_URL', `postgresql${server}`, 'databaseUrl', `postgresql${server}`],
  ['PETSTORE_DATABASE_URL', 'postgres://a:1,b:2/pets', 'databaseUrl', 'postgres://a:1,b:2/pets'],
  ['PETSTORE_API_KEY', 'twenty-characters-ok', 'apiKey', 'twenty-characters-ok'],
  ['PETSTORE_API_KEY', liveKey, 'apiKey', liveKey],
  ['PETSTORE_ENVIRONMENT', 'production', 'environment', 'production'],
  ['PETSTORE_BASE_URL', 'https://pets.example/v1', 'baseUrl', 'https://pets.example/v1'],
  ['PETSTORE_BASE_URL', 'http://localhost:8080/shop/v1', 'baseUrl', 'http://localhost:8080/shop/v1'],
  ['PETSTORE_BASE_URL', 'https://bücher.example/é/v1', 'baseUrl', 'https://xn--bcher-kva.example/%C3%A9/v1'],
  ['PETSTORE_STAGING_BASE_URL', 'https://staging.pets.example/v1', 'stagingBaseUrl', 'https://staging.pets.example/v1'],
  ['PETSTORE_CORS_ORIGINS', '*', 'corsOrigins', ['*']],
  ['PETSTORE_CORS_ORIGINS', 'https://a.example, http://b:3000', 'corsOrigins', ['https://a.example', 'http://b:3000']],
  ['PETSTORE_RATE_LIMIT', '600', 'rateLimit', 600],
  ['PETSTORE_TRUST_PROXY', 'true', 'trustProxy', true],
  ['PETSTORE_TRUST_PROXY', 'false', 'trustProxy', false],
  ['PETSTORE_TRUST_PROXY', '10.0.0.0/8, ::1', 'trustProxy', ['10.0.0.0/8', '::1']],
  ['PETSTORE_METRICS_ADDRESS', '127.0.0.1:9090', 'metricsAddress', { host: '127.0.0.1', port: 9090 }],
  ['PETSTORE_METRICS_ADDRESS', '[::1]:0', 'metricsAddress', { host: '::1', port: 0 }],
  ['PETSTORE_METRICS_ADDRESS', 'localhost:65535', 'metricsAddress', { host: 'localhost', port: 65535 }],
  ['PETSTORE_STABILITY', 'stable', 'stability', 'stable'],
  ['PETSTORE_STABILITY', 'beta', 'stability', 'beta'],
  ['PETSTORE_STABILITY', 'experimental', 'stability', 'experimental'],
  ['PETSTORE_MCP', 'off', 'mcp', 'off'],
  ['PETSTORE_WEBHOOKS_ALLOW_PRIVATE', 'true', 'webhooksAllowPrivate', 'true'],
  ['PETSTORE_EVENTS_KEPT', '90m', 'eventRetentionMs', 90 * 60_000],
  ['PETSTORE_EVENTS_KEPT', '365d', 'eventRetentionMs', 365 * 86_400_000],
  ['PETSTORE_BACKUP_FOLDER', '/backups', 'backupFolder', '/backups'],
  ['PETSTORE_BACKUP_EVERY', '1h', 'backupEveryMs', 3_600_000],
  ['PETSTORE_BACKUP_KEEP', '1', 'backupKeep', 1],
  ['PETSTORE_DRAIN_SECONDS', '300', 'drainSeconds', 300],
  ['PETSTORE_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
]

const refused: [variable: string, allowed: string, ...texts: string[]][] = [
  ['PETSTORE_HOST', 'an address', 'a b', ' '],
  ['PETSTORE_PORT', 'an integer from 0 to 65535', 'x', '-1', '65536', '80.0', '0x50', ' 80', '1e3', '99999999999'],
  [
    'PETSTORE_DATABASE_URL',
    'sqlite: and a path, or postgres:// with a user, a host and a database',
    'sqlite:',
    'postgres://localhost',
    'mysql://localhost/pets',
    './data/petstore.db',
  ],
  [
    'PETSTORE_READ_DATABASE_URL',
    'postgres:// with a user, a host and a database',
    'sqlite:./data/petstore.db',
    'postgres://localhost',
  ],
  ['PETSTORE_ENVIRONMENT', 'one of production, staging', 'prod', 'Production', 'test'],
  [
    'PETSTORE_BASE_URL',
    'an http or https address that ends in /v1',
    'https://pets.example',
    'https://pets.example/v1/',
    'https://pets.example/v2',
    'https://pets.example/v1?x=1',
    'ftp://pets.example/v1',
    'pets.example/v1',
    '/v1',
    'https:///v1',
    'https:////v1',
  ],
  ['PETSTORE_STAGING_BASE_URL', 'an http or https address that ends in /v1', 'https://staging.pets.example'],
  [
    'PETSTORE_CORS_ORIGINS',
    'origins such as https://shop.example, separated by commas, or *',
    'shop.example',
    'https://shop.example/',
    'https://shop.example/path',
    'https://a.example,',
    'null',
  ],
  ['PETSTORE_RATE_LIMIT', 'an integer from 1 to 1000000000', '0', 'many', '-5', '1000000001'],
  [
    'PETSTORE_TRUST_PROXY',
    'true, false, or addresses and networks separated by commas',
    'yes',
    'TRUE',
    'localhost',
    '127.0.0.1,',
    'cafe',
    '1',
    '10.0.0.0/99',
    '999.0.0.1',
  ],
  [
    'PETSTORE_METRICS_ADDRESS',
    'an address and a port, such as 127.0.0.1:9090 or [::]:9090',
    '9090',
    '127.0.0.1',
    '127.0.0.1:70000',
    '127.0.0.1:on',
    ':9090',
    '::1:9090',
    'a b:9090',
    ' ',
  ],
  ['PETSTORE_STABILITY', 'one of stable, beta, experimental', 'alpha', 'Beta', 'all', 'stable,beta', ' '],
  ['PETSTORE_MCP', 'one of on, off', 'true', 'On', ' '],
  ['PETSTORE_WEBHOOKS_ALLOW_PRIVATE', 'one of true, false', 'yes', '1', 'TRUE'],
  [
    'PETSTORE_EVENTS_KEPT',
    'a time of 1h or more, such as 30d, 12h or 90m (at most 9 digits)',
    '0s',
    '0d',
    '59m',
    '3599s',
    '30',
    'd',
    '-1d',
    '1.5d',
    '30 d',
    '30D',
    'forever',
  ],
  ['PETSTORE_TLS_CERT', 'a path', ' '],
  ['PETSTORE_TLS_KEY', 'a path', ' '],
  ['PETSTORE_BACKUP_FOLDER', 'a path', ' '],
  ['PETSTORE_BACKUP_EVERY', 'a time of 1m or more, such as 30d, 12h or 90m (at most 9 digits)', '59s', '1', 'daily'],
  ['PETSTORE_BACKUP_KEEP', 'an integer from 1 to 100000', '0', 'all'],
  ['PETSTORE_DRAIN_SECONDS', 'an integer from 0 to 300', '301', '-1', '2s'],
  ['PETSTORE_LOG_LEVEL', 'one of fatal, error, warn, info, debug, silent', 'verbose', 'INFO'],
]

test('without settings the configuration is the defaults', () => {
  assert.deepEqual(readConfig({}), defaults)
})

test('an empty setting is a setting that is not there', () => {
  const empty = Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, '']))

  assert.deepEqual(readConfig(empty), defaults)
})

test('variables that are no settings are ignored', () => {
  assert.deepEqual(readConfig({ PATH: '/bin', PETSTORE_SOMETHING: 'else' }), defaults)
})

test('the default that the help shows is the one in force', () => {
  for (const [name, { fallback, read }] of Object.entries(settings)) {
    assert.deepEqual(fallback === undefined ? undefined : read(fallback), defaults[name as keyof Config])
  }
})

for (const [variable, text, name, value] of accepted) {
  const shown = variable === 'PETSTORE_API_KEY' ? `a key of ${text.length} characters` : `"${text}"`
  test(`${variable} takes ${shown}`, () => {
    const config = readConfig({ [variable]: text })

    assert.deepEqual(config, { ...defaults, [name]: value })
  })
}

test('staging has a default database of its own', () => {
  const config = readConfig({ PETSTORE_ENVIRONMENT: 'staging' })

  assert.deepEqual(config, {
    ...defaults,
    environment: 'staging',
    databaseUrl: 'sqlite:./data/petstore-staging.db',
  })
})

test('every setting is covered by the values that are taken and by those that are refused', () => {
  const all = Object.values(settings).map(({ variable }) => variable)

  // These are not taken alone.
  const notAlone = ['PETSTORE_READ_DATABASE_URL', 'PETSTORE_TLS_CERT', 'PETSTORE_TLS_KEY']
  const taken = [...accepted.map(([variable]) => variable), ...notAlone]
  assert.deepEqual(new Set(taken), new Set(all))
  assert.deepEqual(new Set([...refused.map(([variable]) => variable), 'PETSTORE_API_KEY']), new Set(all))
})

test('PETSTORE_READ_DATABASE_URL is taken beside a PostgreSQL database, and refused beside a SQLite one', () => {
  const replicas = { PETSTORE_READ_DATABASE_URL: 'postgres://replica.example/pets' }

  const config = readConfig({ ...replicas, PETSTORE_DATABASE_URL: 'postgres://db.example/pets' })

  assert.equal(config.readDatabaseUrl, 'postgres://replica.example/pets')
  assert.throws(() => readConfig(replicas), { name: 'Failure', message: /needs a PostgreSQL database/ })
})

test('PETSTORE_TLS_CERT and PETSTORE_TLS_KEY are taken together only', () => {
  const [cert, key] = [{ PETSTORE_TLS_CERT: 'shop.crt' }, { PETSTORE_TLS_KEY: 'shop.key' }]

  const { tlsCert, tlsKey } = readConfig({ ...cert, ...key })

  assert.deepEqual([tlsCert, tlsKey], ['shop.crt', 'shop.key'])
  for (const alone of [cert, key]) assert.throws(() => readConfig(alone), { message: /belong together/ })
})

test('the port for metrics is another one than that of the service, unless their addresses differ', () => {
  const same = { PETSTORE_PORT: '8080', PETSTORE_METRICS_ADDRESS: '127.0.0.1:8080' }

  for (const hosts of [{}, { PETSTORE_HOST: '0.0.0.0' }, { PETSTORE_METRICS_ADDRESS: '[::]:8080' }])
    assert.throws(() => readConfig({ ...same, ...hosts }), { message: /METRICS_ADDRESS must have another port/ })
  assert.equal(readConfig({ ...same, PETSTORE_METRICS_ADDRESS: '127.0.0.2:8080' }).metricsAddress?.port, 8080)
  assert.equal(readConfig({ PETSTORE_PORT: '0', PETSTORE_METRICS_ADDRESS: '127.0.0.1:0' }).metricsAddress?.port, 0)
})

for (const url of ['postgres://db.example/pets', 'sqlite::memory:']) {
  test(`PETSTORE_BACKUP_FOLDER is refused beside ${url}, and the sentence names the page about backups`, () => {
    assert.throws(() => readConfig({ PETSTORE_BACKUP_FOLDER: '/backups', PETSTORE_DATABASE_URL: url }), {
      name: 'Failure',
      message: /^PETSTORE_BACKUP_FOLDER needs a SQLite database .* docs\/backup\.md .*\.$/,
    })
  })
}

test('a database URL that is refused is repeated without its password', () => {
  assert.throws(() => readConfig({ PETSTORE_DATABASE_URL: 'postgres://rex:se@cret@db.example' }), {
    name: 'Failure',
    message: /got "postgres:\/\/rex@db\.example"\.$/,
  })
})

for (const [variable, allowed, ...texts] of refused) {
  for (const text of texts) {
    test(`${variable} refuses "${text}" and says what is allowed and what it got`, () => {
      assert.throws(
        () => readConfig({ [variable]: text }),
        (error) => {
          assert.ok(error instanceof Failure)
          assert.equal(error.message, `${variable} must be ${allowed}, got "${text}".`)
          return true
        },
      )
    })
  }
}

for (const key of ['short-key', 'nineteen-characters', 'twenty characters ok', 'twenty-charactérs-ok']) {
  test(`PETSTORE_API_KEY refuses a key of ${key.length} characters without repeating it`, () => {
    assert.throws(
      () => readConfig({ PETSTORE_API_KEY: key }),
      (error) => {
        assert.ok(error instanceof Failure)
        const allowed = '20 or more printable ASCII characters without white space'
        assert.equal(error.message, `PETSTORE_API_KEY must be ${allowed}, got ${key.length} characters.`)
        return true
      },
    )
  })
}

for (const [environment, other] of [
  ['production', 'staging'],
  ['staging', 'production'],
] as const) {
  test(`PETSTORE_API_KEY refuses a key of ${other} in ${environment} without repeating it`, () => {
    const key = newKeySecret(other)

    assert.throws(
      () => readConfig({ PETSTORE_API_KEY: key, PETSTORE_ENVIRONMENT: environment }),
      (error) => {
        assert.ok(error instanceof Failure)
        assert.match(error.message, /^PETSTORE_API_KEY is a key of the other environment/)
        assert.ok(!error.message.includes(key))
        return true
      },
    )
  })
}

test('PETSTORE_API_KEY refuses a mistyped key of ours, which no request could ever use', () => {
  const key = `${newKeySecret('production').slice(0, -6)}000000`

  assert.throws(
    () => readConfig({ PETSTORE_API_KEY: key }),
    (error) => {
      assert.ok(error instanceof Failure)
      assert.match(error.message, /^PETSTORE_API_KEY /)
      assert.ok(!error.message.includes(key))
      return true
    },
  )
})

test('baseUrls has the base addresses that are set, by environment', () => {
  const both = { PETSTORE_BASE_URL: 'https://p.example/v1', PETSTORE_STAGING_BASE_URL: 'https://s.example/v1' }

  assert.deepEqual(baseUrls(readConfig({})), {})
  assert.deepEqual(baseUrls(readConfig(both)), { production: 'https://p.example/v1', staging: 'https://s.example/v1' })
})

test('every setting has a reader', () => {
  const folder = fileURLToPath(new URL('../../src/cli', import.meta.url))
  const files = globSync('**/*.ts', { cwd: folder }).filter((path) => path !== join('shared', 'config.ts'))
  const program = files.map((path) => readFileSync(join(folder, path), 'utf8')).join('')
  // `baseUrls` reads both.
  const readHere = new Set(['baseUrl', 'stagingBaseUrl'])

  assert.deepEqual(
    Object.keys(settings).filter((name) => !readHere.has(name) && !new RegExp(`\\b${name}\\b`).test(program)),
    [],
  )
})
