import type { Command } from 'commander'
import { examples } from './help.ts'

/** The verbs that move data in and out. */
export function addTransferVerbs(program: Command): void {
  program
    .command('backup')
    .description('copy the database into a new file, while the service runs')
    .argument('<file>', 'the new file; it must not exist yet')
    .addHelpText('after', examples('petstore backup petstore-2026-11-15.db'))
    .action(async (file) => (await import('./transfer/backup.ts')).backup(file))

  program
    .command('restore')
    .description('put a backup in the place of the database; stop the service first')
    .argument('<file>', 'the backup')
    .option('--overwrite', 'replace an existing database; it is kept under a name with the time')
    .option('--without-keys', 'revoke all keys of the backup and make a new admin key, which is shown once')
    .addHelpText(
      'after',
      `
Verifies the backup first, like petstore check. If anything is wrong with it, nothing is changed and the exit code is 1.
Keys are as they were: those that were revoked since the backup work again, unless --without-keys is given.
${examples('petstore restore petstore-2026-11-15.db', 'petstore restore petstore-2026-11-15.db --overwrite')}`,
    )
    .action(async (file, options) => (await import('./transfer/restore.ts')).restore(file, options))

  program
    .command('import')
    .description('add the animals of a CSV or NDJSON file, while the service runs')
    .argument('<file>', 'the file; - for standard input')
    .option('--format <format>', 'csv or ndjson; by default the ending of the name, ndjson for -')
    .option('--all-or-nothing', 'add nothing if a row is rejected')
    .option('--create-categories', 'make categories that the file names and the shop lacks')
    .option('--dry-run', 'say what would be done, and change nothing')
    .option('--resume', 'resume an interrupted import of this file')
    .option('--restart', 'start an interrupted import again from the first row; its animals are added twice')
    .option('--rejects <file>', 'file for rejected rows; by default <file>.rejects.csv or .ndjson')
    .addHelpText(
      'after',
      `
The columns or members are name, categoryId or categoryName and, optionally, status. Others are ignored, also id: every
animal gets a new id. Invalid rows are reported with line and reason and skipped, and the exit code is 1.
${examples('petstore import animals.csv', 'zcat animals.csv.gz | petstore import - --format csv --all-or-nothing')}`,
    )
    .action(async (file, options) => (await import('./transfer/import.ts')).importAnimals(file, options))

  program
    .command('imports')
    .description('list the imports that can be undone, also those of the service')
    .addHelpText('after', examples('petstore imports'))
    .action(async () => (await import('./transfer/undo-import.ts')).listImports())

  program
    .command('undo-import')
    .description('remove the animals of an import, while the service runs')
    .argument('<id>', 'the import, as petstore imports lists it')
    .addHelpText(
      'after',
      `
Animals that were changed or ordered since they were added stay. Run the command again if it was interrupted.
${examples('petstore undo-import 5enuBKxW2hZq0aVtLr8P')}`,
    )
    .action(async (id) => (await import('./transfer/undo-import.ts')).undoImport(id))

  program
    .command('export')
    .description('write all animals as CSV or NDJSON, while the service runs')
    .argument('[file]', 'the file to write; standard output by default')
    .option('--format <format>', 'csv or ndjson; by default the ending of the name, ndjson for standard output')
    .option('--name <words>', 'only animals with these words in their names')
    .option('--status <status>', 'only available, pending or sold animals, or none: those without a status')
    .option('--category <id>', 'only animals of this category')
    .option('--spreadsheet', 'CSV for people: with a byte order mark and the names of the categories')
    .option('--separator <name>', 'what separates the columns of CSV: comma, semicolon or tab')
    .addHelpText('after', examples('petstore export animals.csv', 'petstore export | gzip > animals.ndjson.gz'))
    .action(async (file, options) => (await import('./transfer/export.ts')).exportAnimals(file, options))

  program
    .command('export-orders')
    .description('write all orders as CSV or NDJSON, while the service runs')
    .argument('[file]', 'the file to write; standard output by default')
    .option('--format <format>', 'csv or ndjson; by default the ending of the name, ndjson for standard output')
    .option('--status <status>', 'only placed, completed or cancelled orders')
    .option('--animal <id>', 'only orders of this animal')
    .option('--customer <words>', 'only orders with these words in the name of the customer')
    .option('--animal-name <words>', 'only orders with these words in the name of the animal')
    .option('--spreadsheet', 'CSV for people: with a byte order mark')
    .option('--separator <name>', 'what separates the columns of CSV: comma, semicolon or tab')
    .addHelpText('after', examples('petstore export-orders orders.csv', 'petstore export-orders --status placed'))
    .action(async (file, options) => (await import('./transfer/export.ts')).exportOrders(file, options))

  program
    .command('copy')
    .description('move everything to another, empty database; stop the service first')
    .requiredOption('--from <url>', 'the database to copy, opened read-only: sqlite: and a path, or postgres://')
    .requiredOption(
      '--to <url>',
      'the database to copy into: an empty one, or the target of an interrupted copy of the same database',
    )
    .addHelpText(
      'after',
      `
Copies animals, orders, categories, events, keys, webhooks, invitations, imports and Idempotency-Keys,
with their ids. Then reads and compares both databases; the exit code is 0 if they are equal. In the new one webhooks are
disabled, and open invitations have ended.
Run the same command again to resume an interrupted copy.
${examples('petstore copy --from sqlite:./data/petstore.db --to postgres://petstore@db.example/petstore')}
The password may be in PGPASSWORD or a .pgpass file instead of the URL.
`,
    )
    .action(async (options) => (await import('./transfer/copy.ts')).copy(options))
}
