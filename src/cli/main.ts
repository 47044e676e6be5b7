import { Command } from 'commander'
import { PetStoreError } from '../inventory/errors.ts'
import { StorageError } from '../storage/shared/errors.ts'
import { Failure } from './shared/failure.ts'
import { examples, settingsHelp } from './help.ts'
import { version } from './shared/version.ts'

const program = new Command('petstore')
  .description('A pet store inventory service.')
  .version(version)
  .showHelpAfterError('(petstore --help tells more)')
  .addHelpText(
    'after',
    examples('petstore serve --demo', 'petstore keys create --name "web shop"', 'petstore help import'),
  )

// Verbs load what they need when they are called, so that each starts as fast as it can.
program
  .command('serve')
  .description('run the service')
  .option('--demo', 'fill an empty shop with a few demo animals')
  .option('--workers <number>', 'how many processes share the port; auto for one per core', '1')
  .addHelpText(
    'after',
    `${examples('petstore serve --demo', 'PETSTORE_DATABASE_URL=postgres://shop@db/petstore petstore serve --workers auto')}${settingsHelp()}`,
  )
  .action(async (options) => (await import('./serving/serve.ts')).serve(options))

const keys = program.command('keys').description('make, list, revoke and rotate API keys')
keys
  .command('create')
  .description('make a key and show it, once')
  .requiredOption('--name <name>', 'what or whom the key is for')
  .option('--permission <permission>', 'read or write; write includes read', 'write')
  .option('--expires <when>', 'when it ends: 90d, 12h, or a date such as 2027-01-31')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys create --name "web shop" --permission read --expires 90d'))
  .action(async (options) => (await import('./keys.ts')).createKey(options))
keys
  .command('list')
  .description('list all keys')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys list --json'))
  .action(async (options) => (await import('./keys.ts')).listKeys(options))
keys
  .command('revoke')
  .description('refuse a key from now on, on running services too')
  .argument('<key>', 'its id, or its name')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys revoke "web shop"'))
  .action(async (which, options) => (await import('./keys.ts')).revokeKey(which, options))
keys
  .command('rotate')
  .description('make a key in place of another, which goes on working for a while')
  .argument('<key>', 'its id, or its name')
  .option('--grace <when>', 'until when the old key works: 24h, 7d, or a date', '24h')
  .option('--expires <when>', 'when the new key ends; by default when the old one would have')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys rotate "web shop" --grace 7d'))
  .action(async (which, options) => (await import('./keys.ts')).rotateKey(which, options))

program
  .command('migrate')
  .description('bring the database up to date without serving; serve does it too')
  .addHelpText('after', examples('PETSTORE_DATABASE_URL=postgres://shop@db/petstore petstore migrate'))
  .action(async () => (await import('./migrate.ts')).migrate())

program
  .command('check')
  .description('verify the database, while the service runs; nothing is changed')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
Verifies the files, as far as the database can, and that counts, ids, orders and events agree with one another. The exit
code is 1 when something is wrong.
${examples('petstore check', 'petstore check --json', 'PETSTORE_DATABASE_URL=sqlite:backup.db petstore check')}`,
  )
  .action(async (options) => (await import('./check.ts')).check(options))

program
  .command('backup')
  .description('copy the database into a new file, while the service runs')
  .argument('<file>', 'where to; it must not be there yet')
  .addHelpText('after', examples('petstore backup petstore-2026-11-15.db'))
  .action(async (file) => (await import('./transfer/backup.ts')).backup(file))

program
  .command('import')
  .description('add the animals of a CSV or NDJSON file, while the service runs')
  .argument('<file>', 'the file; - for standard input')
  .option('--format <format>', 'csv or ndjson; by default what the name ends in, ndjson for -')
  .option('--all-or-nothing', 'add nothing if a row is rejected')
  .option('--resume', 'go on where an import of this file was stopped')
  .option('--restart', 'begin anew where an import of this file was stopped; its animals are added again')
  .option('--rejects <file>', 'where rejected rows go; by default <file>.rejects.csv or .ndjson')
  .addHelpText(
    'after',
    `
Columns or members are name, categoryId and, if it has one, status. Others are ignored; an id too: every animal gets a
new one. Rows that break a rule are rejected, each with its line and reason, and the exit code is 1; the rest goes in.
${examples('petstore import animals.csv', 'zcat animals.csv.gz | petstore import - --format csv --all-or-nothing')}`,
  )
  .action(async (file, options) => (await import('./transfer/import.ts')).importAnimals(file, options))

program
  .command('export')
  .description('write all animals as CSV or NDJSON, while the service runs')
  .argument('[file]', 'where to; standard output by default')
  .option('--format <format>', 'csv or ndjson; by default what the name ends in, ndjson for standard output')
  .addHelpText('after', examples('petstore export animals.csv', 'petstore export | gzip > animals.ndjson.gz'))
  .action(async (file, options) => (await import('./transfer/export.ts')).exportAnimals(file, options))

program
  .command('copy')
  .description('move everything to another, empty database; stop the service first')
  .requiredOption('--from <url>', 'the database to copy, which is only read: sqlite: and a path, or postgres://')
  .requiredOption(
    '--to <url>',
    'the database to copy into: a new one, or one that a stopped copy of the same was begun with',
  )
  .addHelpText(
    'after',
    `
Animals, orders, categories, events, keys, Idempotency-Keys and the progress of imports arrive as they are, with their
ids. Both databases are then read through and compared; the exit code is 0 when they hold the same. A copy that was
stopped, in whatever way, goes on where it ended when the same command is run again.
${examples('petstore copy --from sqlite:./data/petstore.db --to postgres://petstore@db.example/petstore')}
A password can be left out of the URL: PGPASSWORD, or a .pgpass file, may hold it.
`,
  )
  .action(async (options) => (await import('./transfer/copy.ts')).copy(options))

program
  .command('openapi')
  .description('print the OpenAPI document')
  .addHelpText('after', examples('petstore openapi > openapi.json'))
  .action(async () => {
    const { openApiDocument } = await import('../contract/document/openapi.ts')
    process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`)
  })

program
  .command('completion')
  .description('print what completes this command in a shell')
  .argument('<shell>', 'bash, zsh or fish')
  .addHelpText(
    'after',
    examples(
      'source <(petstore completion bash)',
      'petstore completion fish > ~/.config/fish/completions/petstore.fish',
    ),
  )
  .action(async (shell) => {
    process.stdout.write((await import('./completion.ts')).completionScript(program, shell))
  })

function sentenceOf(error: unknown): string {
  if (error instanceof Failure || error instanceof StorageError) return error.message
  if (!(error instanceof PetStoreError)) return `unexpected error: ${String(error)}`
  const { cause, message } = error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

/** Runs the verb that the arguments name. A failure leaves one sentence and an exit code of 1. */
export async function main(): Promise<void> {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // Whoever reads has seen enough, as `head` has: nothing is wrong.
    if (code === 'EPIPE') return
    process.stderr.write(`petstore: Standard output cannot be written (${code}).\n`)
    process.exitCode = 1
  })
  try {
    await program.parseAsync()
  } catch (error) {
    process.stderr.write(`petstore: ${sentenceOf(error)}\n`)
    // Not process.exit with a pending thread or socket left to say its own word.
    process.exit(1)
  }
}
