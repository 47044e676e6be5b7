import { Command, Option } from 'commander'
import { sentenceOf, WrongArgument } from './shared/failure.ts'
import { addDocumentVerbs } from './document-verbs.ts'
import { examples, settingsHelp } from './help.ts'
import { refuseLowFileLimit } from './serving/file-limit.ts'
import { addListenVerb } from './listen-verb.ts'
import { version } from './shared/version.ts'
import { addTransferVerbs } from './transfer-verbs.ts'
import { addVerifyVerb } from './verify-verb.ts'
import { addWebhooksVerb } from './webhooks-verb.ts'

const program = new Command('petstore')
  .description('A pet store inventory service.')
  .version(version)
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'petstore: ')) })
  .addHelpText(
    'after',
    examples('petstore serve --demo', 'petstore keys create --name "web shop"', 'petstore help import'),
  )

// doctor says it among its findings.
program.hook('preAction', (_program, verb) => (verb.name() === 'doctor' ? undefined : refuseLowFileLimit()))

// Verbs load their modules on demand, so that each starts fast.
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

program
  .command('sandbox')
  .description('run a pet store to test software against: in memory, a shop per key, nothing is kept')
  .addOption(new Option('--host <address>', 'the address to listen on').env('SANDBOX_HOST').default('127.0.0.1'))
  .option('--port <number>', 'the port; 0 picks a free one', '8080')
  .option('--json', 'print one line of JSON when it is ready: url, key, console, pid')
  .option('--seed <seed>', 'what a shop begins with: empty, demo, or an NDJSON file', 'demo')
  .option('--ttl <duration>', 'end by itself after this time: 45s, 10m, 2h')
  .option(
    '--bug <name>',
    'make every shop wrong in this way; may be repeated',
    (name: string, names: string[] | undefined) => [...(names ?? []), name],
  )
  .option('--mystery <seed>', 'make every shop wrong in three hidden ways, which the seed chooses')
  .option('--reveal <seed>', 'name the three bugs of a mystery, and end')
  .addHelpText(
    'after',
    `
Any bearer key sandbox_NAME opens the shop NAME. See docs/testing-against-it.md.
${examples('petstore sandbox', 'petstore sandbox --port 0 --json --seed empty --ttl 10m')}`,
  )
  .action(async (options) => (await import('./sandbox.ts')).sandbox(options))

addVerifyVerb(program)
addListenVerb(program)

program
  .command('mcp')
  .description('connect an agent (Model Context Protocol, standard input and output) to a running service')
  .option('--url <address>', 'the address of the service', 'http://127.0.0.1:8080')
  .option('--key <key>', 'an API key; by default PETSTORE_API_KEY, which other users of the machine do not see')
  .addHelpText('after', examples('PETSTORE_API_KEY="$KEY" petstore mcp --url https://petstore.example'))
  .action(async (options) => (await import('./mcp.ts')).mcp(options))

const keys = program.command('keys').description('create, list, revoke and rotate API keys, and invite colleagues')
keys
  .command('create')
  .description('create a key and show it once')
  .requiredOption('--name <name>', 'who or what uses the key')
  .option(
    '--permission <permission>',
    'read, write or admin; each includes the one before; admin manages keys',
    'write',
  )
  .option('--expires <when>', 'when it expires: 90d, 12h, or a date such as 2027-01-31')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys create --name "web shop" --permission read --expires 90d'))
  .action(async (options) => (await import('./keys.ts')).createKey(options))
keys
  .command('invite')
  .description('make a link that gives a colleague a key of their own, once')
  .requiredOption('--name <name>', 'who is invited; their key gets this name')
  .requiredOption('--permission <permission>', 'what their key may do: read, write or admin')
  .option('--expires <when>', 'how long the link works, 24h at most: 90m, 12h, or a time', '24h')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys invite --name "Anna" --permission write'))
  .action(async (options) => (await import('./invite.ts')).invite(options))
keys
  .command('list')
  .description('list all keys')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys list --json'))
  .action(async (options) => (await import('./keys.ts')).listKeys(options))
keys
  .command('revoke')
  .description('revoke a key at once, also on running services')
  .argument('<key>', 'its id, or its name')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys revoke "web shop"'))
  .action(async (which, options) => (await import('./keys.ts')).revokeKey(which, options))
keys
  .command('rotate')
  .description('replace a key; the old one stays valid for a while')
  .argument('<key>', 'its id, or its name')
  .option('--grace <when>', 'how long the old key stays valid: 24h, 7d, or until a date', '24h')
  .option('--expires <when>', 'when the new key expires; by default like the old one')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('petstore keys rotate "web shop" --grace 7d'))
  .action(async (which, options) => (await import('./keys.ts')).rotateKey(which, options))

addWebhooksVerb(program)

program
  .command('migrate')
  .description('migrate the database without serving; serve also does it')
  .addHelpText('after', examples('PETSTORE_DATABASE_URL=postgres://shop@db/petstore petstore migrate'))
  .action(async () => (await import('./migrate.ts')).migrate())

program
  .command('check')
  .description('verify the database, read-only, while the service runs')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
Verifies the files, as far as the database can, and that counts, ids, orders and events are consistent. The exit code is
1 if something is wrong.
${examples('petstore check', 'petstore check --json', 'PETSTORE_DATABASE_URL=sqlite:backup.db petstore check')}`,
  )
  .action(async (options) => (await import('./check.ts')).check(options))

program
  .command('doctor')
  .description('look for problems of this deployment; changes nothing')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
Checks settings, permissions, disk, clock, database, schema, backups, certificate and port, a line each. The exit code is
1 if there is a problem. To verify the data itself, run petstore check.
${examples('petstore doctor', 'petstore doctor --json')}`,
  )
  .action(async (options) => (await import('./doctor/doctor.ts')).doctor(options))

addTransferVerbs(program)
addDocumentVerbs(program)

/** A wrong command line points to the help of its own command. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(see ${name} --help)`)
  for (const part of command.commands) pointToHelp(part, `${name} ${part.name()}`)
}
pointToHelp(program, 'petstore')

/** Runs the verb in the arguments. A failure prints one sentence and sets the exit code to 1, a wrong argument to 2. */
export async function main(): Promise<void> {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // The reader has closed the pipe, as `head` does. This is not an error.
    if (code === 'EPIPE') return
    process.stderr.write(`petstore: Standard output cannot be written (${code}).\n`)
    process.exitCode = 1
  })
  try {
    await program.parseAsync()
  } catch (error) {
    process.stderr.write(`petstore: ${sentenceOf(error)}\n`)
    // A pending thread or socket must not print anything more.
    process.exit(error instanceof WrongArgument ? 2 : 1)
  }
}
