import type { Command } from 'commander'
import { examples } from './help.ts'

/** The options of `petstore listen`. */
export function addListenVerb(program: Command): void {
  program
    .command('listen')
    .description('forward the events of a running service as signed webhooks, for development')
    .requiredOption('--forward-to <address>', 'where events are sent, such as http://localhost:3000/hook')
    .option('--url <address>', 'the base address of the service', 'http://127.0.0.1:8080/v1')
    .option('--key <key>', 'an API key; by default PETSTORE_API_KEY, which other users of the machine do not see')
    .option('--types <names>', 'only events of these types, separated by commas, such as petstore.order.placed')
    .option('--format <format>', 'the media type, as a webhook has it: json or cloudevents', 'json')
    .option('--secret <secret>', 'what signs the events: whsec_ and base64; by default a new one, which is shown')
    .addHelpText(
      'after',
      `
Prints a line for each event: time, type, id, status and duration. Events from now on are sent in order, each one once:
an event that the receiver does not take is shown and not sent again. (A webhook of the service sends it again.)
The connection to the service is renewed whenever it breaks, and no event is left out. If the
service no longer has the next event, such as after a reset, this is printed, and events from then on follow.
${examples(
  'PETSTORE_API_KEY="$KEY" petstore listen --forward-to http://localhost:3000/hook',
  'petstore listen --url http://127.0.0.1:8080/v1 --key sandbox_dev --forward-to http://localhost:3000/hook',
)}`,
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (options) => (await import('./listen/listen.ts')).listen(options))
}
