import { enableCompileCache } from 'node:module'
import { Command } from 'commander'
import { openApiDocument } from '../contract/openapi.ts'
import { StorageError } from '../storage/errors.ts'
import { Failure } from './failure.ts'
import { settingsHelp } from './help.ts'
import { version } from './version.ts'

enableCompileCache()

const program = new Command('petstore')
  .description('A pet store inventory service.')
  .version(version)
  .showHelpAfterError('(petstore --help tells more)')

// Verbs load what they need when they are called, so that each starts as fast as it can.
program
  .command('serve')
  .description('run the service')
  .option('--demo', 'fill an empty shop with a few demo animals')
  .option('--workers <number>', 'how many processes share the port; auto for one per core', '1')
  .addHelpText('after', settingsHelp())
  .action(async (options) => (await import('./serve.ts')).serve(options))

const keys = program.command('keys').description('make, list, revoke and rotate API keys')
keys
  .command('create')
  .description('make a key and show it, once')
  .requiredOption('--name <name>', 'what or whom the key is for')
  .option('--permission <permission>', 'read or write; write includes read', 'write')
  .option('--expires <when>', 'when it ends: 90d, 12h, or a date such as 2027-01-31')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./keys.ts')).createKey(options))
keys
  .command('list')
  .description('list all keys')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./keys.ts')).listKeys(options))
keys
  .command('revoke')
  .description('refuse a key from now on, on running services too')
  .argument('<key>', 'its id, or its name')
  .option('--json', 'print JSON')
  .action(async (which, options) => (await import('./keys.ts')).revokeKey(which, options))
keys
  .command('rotate')
  .description('make a key in place of another, which goes on working for a while')
  .argument('<key>', 'its id, or its name')
  .option('--grace <when>', 'until when the old key works: 24h, 7d, or a date', '24h')
  .option('--json', 'print JSON')
  .action(async (which, options) => (await import('./keys.ts')).rotateKey(which, options))

program
  .command('migrate')
  .description('bring the database up to date without serving; serve does it too')
  .action(async () => (await import('./migrate.ts')).migrate())

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(() => {
    process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`)
  })

try {
  await program.parseAsync()
} catch (error) {
  const expected = error instanceof Failure || error instanceof StorageError
  process.stderr.write(`petstore: ${expected ? error.message : `unexpected error: ${String(error)}`}\n`)
  // Not process.exit with a pending thread or socket left to say its own word.
  process.exit(1)
}
