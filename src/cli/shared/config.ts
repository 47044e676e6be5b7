import type { Environment } from '../../contract/environment.ts'
import { stabilityLevels } from '../../contract/operations/operations.ts'
import { keyPrefix, mayBeKey } from '../../inventory/key-secret.ts'
import { withoutPassword } from '../../storage/shared/url.ts'
import { Failure } from './failure.ts'
import {
  baseUrl,
  choice,
  duration,
  inStaging,
  integer,
  list,
  listenAddress,
  type Optional,
  optional,
  origin,
  type Setting,
  text,
  trustProxy,
} from './setting.ts'

const postgresForm = /^postgres(ql)?:\/\/[^/\s]+\/[^/?\s]+(\?\S*)?$/
const databaseForm = new RegExp(`^sqlite:.|${postgresForm.source}`)
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** Every setting of the service. Help, documentation and checks are made from this list. */
export const settings = {
  host: text('PETSTORE_HOST', '127.0.0.1', 'Address to listen on; 0.0.0.0 for all.', 'an address', /^\S+$/),
  port: integer('PETSTORE_PORT', '8080', 'Port to listen on; 0 picks a free one.', 0, 65535),
  databaseUrl: inStaging(
    text(
      'PETSTORE_DATABASE_URL',
      'sqlite:./data/petstore.db',
      'Where the animals are stored: sqlite: and a path, sqlite::memory: until the process ends, or postgres://.',
      'sqlite: and a path, or postgres:// with a user, a host and a database',
      databaseForm,
    ),
    'sqlite:./data/petstore-staging.db',
  ),
  readDatabaseUrl: optional(
    text(
      'PETSTORE_READ_DATABASE_URL',
      undefined,
      'Replicas of a PostgreSQL database, for lists and single animals. They may be 10 seconds behind.',
      'postgres:// with a user, a host and a database',
      postgresForm,
    ),
  ),
  apiKey: optional(
    text(
      'PETSTORE_API_KEY',
      undefined,
      'Your own key: 20 or more characters without white space. Valid from the start, neither stored nor printed.',
      '20 or more printable ASCII characters without white space',
      /^[\x21-\x7e]{20,}$/,
    ),
  ),
  environment: choice('PETSTORE_ENVIRONMENT', 'production', 'The environment of this deployment.', [
    'production',
    'staging',
  ]),
  baseUrl: optional(baseUrl('PETSTORE_BASE_URL', 'Public base address of production, for links and the document.')),
  stagingBaseUrl: optional(baseUrl('PETSTORE_STAGING_BASE_URL', 'Public base address of staging.')),
  corsOrigins: optional(
    list('PETSTORE_CORS_ORIGINS', 'Origins whose pages may use the service, separated by commas; * for any.', origin),
  ),
  rateLimit: optional(
    integer(
      'PETSTORE_RATE_LIMIT',
      undefined,
      'Requests per minute for each key, and for each address without a valid key.',
      1,
      1_000_000_000,
    ),
  ),
  trustProxy: trustProxy('PETSTORE_TRUST_PROXY'),
  tlsCert: optional(
    text('PETSTORE_TLS_CERT', undefined, 'A certificate with its chain, in PEM form, for HTTPS.', 'a path', /\S/),
  ),
  tlsKey: optional(text('PETSTORE_TLS_KEY', undefined, 'The key of the certificate, in PEM form.', 'a path', /\S/)),
  metricsAddress: optional(
    listenAddress(
      'PETSTORE_METRICS_ADDRESS',
      'Serves /metrics there only, without a key: 127.0.0.1:9090, or 0.0.0.0:9090 if the scraper is on another machine.',
    ),
  ),
  stability: choice(
    'PETSTORE_STABILITY',
    'experimental',
    'The least stable operations to serve. stable: only those that the contract names, with their optional parameters.',
    stabilityLevels,
  ),
  mcp: choice('PETSTORE_MCP', 'on', 'Whether agents can use the service at /mcp (experimental).', ['on', 'off']),
  webhooksAllowPrivate: choice(
    'PETSTORE_WEBHOOKS_ALLOW_PRIVATE',
    'false',
    'Whether webhooks may have addresses that are not public: this machine and its network.',
    ['true', 'false'],
  ),
  eventRetentionMs: duration('PETSTORE_EVENTS_KEPT', '30d', 'How long events can be read.', '1h'),
  backupFolder: optional(
    text('PETSTORE_BACKUP_FOLDER', undefined, 'Where to make backups of a SQLite database.', 'a path', /\S/),
  ),
  backupEveryMs: duration('PETSTORE_BACKUP_EVERY', '1d', 'The time between two backups.', '1m'),
  backupKeep: integer('PETSTORE_BACKUP_KEEP', '7', 'How many backups to keep; older ones are removed.', 1, 100_000),
  drainSeconds: integer(
    'PETSTORE_DRAIN_SECONDS',
    '0',
    'How long to keep serving after a stop signal, while /readyz is 503, so that a proxy can notice.',
    0,
    300,
  ),
  logLevel: choice('PETSTORE_LOG_LEVEL', 'info', 'How much is logged; info logs every request.', logLevels),
}

export type Config = { [Name in keyof typeof settings]: ReadBy<(typeof settings)[Name]> }
type ReadBy<S> = S extends Optional<infer Value> ? Value | undefined : S extends Setting<infer Value> ? Value : never

/** Checks every setting. Throws at the first invalid one with its name, what is allowed and its value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const config: Record<string, unknown> = {}
  const isStaging = environment[settings.environment.variable] === 'staging'
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const given = environment[setting.variable]
    const fallback = isStaging ? (setting.stagingFallback ?? setting.fallback) : setting.fallback
    const text = given === undefined || given === '' ? fallback : given
    if (text === undefined) continue
    const value = setting.read(text)
    if (value === undefined) {
      throw new Failure(`${setting.variable} must be ${setting.allowed}, got ${shown(setting, text)}.`)
    }
    config[name] = value
  }
  return refuseContradictions(config as Config)
}

/** The value of a setting, without secrets. */
function shown({ variable }: Setting<unknown>, text: string): string {
  if (variable === 'PETSTORE_API_KEY') return `${text.length} characters`
  return `"${variable.endsWith('DATABASE_URL') ? withoutPassword(text) : text}"`
}

function refuseContradictions(config: Config): Config {
  const { apiKey, environment, databaseUrl, readDatabaseUrl, backupFolder } = config
  if (readDatabaseUrl !== undefined && databaseUrl.startsWith('sqlite:')) {
    throw new Failure(
      'PETSTORE_READ_DATABASE_URL needs a PostgreSQL database: PETSTORE_DATABASE_URL names a SQLite one.',
    )
  }
  if (backupFolder !== undefined && (!databaseUrl.startsWith('sqlite:') || databaseUrl === 'sqlite::memory:')) {
    throw new Failure(
      'PETSTORE_BACKUP_FOLDER needs a SQLite database in a file; docs/backup.md says how to back up PostgreSQL.',
    )
  }
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    throw new Failure('PETSTORE_TLS_CERT and PETSTORE_TLS_KEY belong together: set both, or neither.')
  }
  if (isSamePort(config)) throw new Failure('PETSTORE_METRICS_ADDRESS must have another port than PETSTORE_PORT.')
  const other = keyPrefix(environment === 'production' ? 'staging' : 'production')
  if (apiKey?.startsWith(other)) {
    throw new Failure(
      `PETSTORE_API_KEY is a key of the other environment (${other}…): this deployment is ${environment}.`,
    )
  }
  if (apiKey !== undefined && !mayBeKey(apiKey, environment)) {
    throw new Failure(
      'PETSTORE_API_KEY looks like a key that this service made, but its checksum is wrong: copy it again.',
    )
  }
  return config
}

function isSamePort({ host, port, metricsAddress: metrics }: Config): boolean {
  if (port === 0 || port !== metrics?.port) return false
  return host === metrics.host || [host, metrics.host].some((each) => each === '0.0.0.0' || each === '::')
}

/** The configured base addresses, by environment. */
export function baseUrls({ baseUrl, stagingBaseUrl }: Config): Partial<Record<Environment, string>> {
  return {
    ...(baseUrl !== undefined && { production: baseUrl }),
    ...(stagingBaseUrl !== undefined && { staging: stagingBaseUrl }),
  }
}
