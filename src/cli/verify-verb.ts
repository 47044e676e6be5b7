import type { Command } from 'commander'
import { examples } from './help.ts'

/** The options of `petstore verify`. */
export function addVerifyVerb(program: Command): void {
  program
    .command('verify')
    .description('judge any implementation of the contract over HTTP; removes what it added')
    .requiredOption('--url <address>', 'the base address, such as http://127.0.0.1:8080/v1')
    .requiredOption('--key <key>', 'an API key that may add animals')
    .option(
      '--level <level>',
      'contract: exactly what the contract says; recommended: also our answers where it is silent; full: also what our document offers beyond',
      'contract',
    )
    .option('--only <check>', 'run one check, such as C-4.1-1')
    .option('--require-all', 'end with 1 if a rule could not be judged')
    .option('--bail', 'end at the first broken rule, and remove what was added')
    .option('--category <id>', 'a category that the shop takes, if it refuses unknown ones')
    .option('--read-only', 'add nothing: run only what needs no new animal')
    .option('--seed <number>', 'run the checks in a random order, the same for the same number')
    .option('--rate <number>', 'the most requests in a second', '200')
    .option('--timeout <seconds>', 'the time for one response', '10')
    .option('--json', 'print JSON')
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--html <file>', 'write the report as a web page')
    .option('--yes', 'do not ask before a run with a key of production')
    .addHelpText(
      'after',
      `
The exit code is 0 if every rule holds, 1 if one is broken, and 2 if the arguments are wrong, nothing could be
judged (no HTTP response came, the shop limits all requests or refuses the key), or no create was accepted.
docs/verify.md lists the checks.
${examples(
  'petstore verify --url http://127.0.0.1:8080/v1 --key "$KEY"',
  'petstore verify --url https://staging.example/v1 --key "$KEY" --junit verify.xml --html verify.html',
)}`,
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (options) => (await import('./verify.ts')).verify(options))
}
