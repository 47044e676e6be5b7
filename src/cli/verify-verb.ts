import type { Command } from 'commander'
import { exitCodes, options } from '../../verify/src/options.ts'
import { examples } from './help.ts'

/** `petstore verify` is the program of the package @petstore/verify. */
export function addVerifyVerb(program: Command): void {
  const verb = program
    .command('verify')
    .description('judge any implementation of the contract over HTTP; removes what it added')
  for (const { name, value, description, default: usual, isRequired } of options) {
    const option = verb.createOption(`--${name}${value === undefined ? '' : ` <${value}>`}`, description)
    if (usual !== undefined) option.default(usual)
    verb.addOption(option.makeOptionMandatory(isRequired === true))
  }
  verb
    .addHelpText(
      'after',
      `${exitCodes}
docs/verify.md lists the checks.
${examples(
  'petstore verify --url http://127.0.0.1:8080/v1 --key "$KEY"',
  'petstore verify --url https://staging.example/v1 --key "$KEY" --junit verify.xml --html verify.html',
)}`,
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (chosen) => (await import('../../verify/src/program.ts')).verify(chosen, 'petstore'))
}
