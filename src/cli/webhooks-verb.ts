import type { Command } from 'commander'
import { examples } from './help.ts'

/** Adds `petstore webhooks`, which loads the storage when it is used. */
export function addWebhooksVerb(program: Command): void {
  const webhooks = program.command('webhooks').description('list and disable the addresses that events are sent to')
  webhooks
    .command('list')
    .description('list all webhooks, without their secrets')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('petstore webhooks list --json'))
    .action(async (options) => (await import('./webhooks.ts')).listWebhooks(options))
  webhooks
    .command('disable')
    .description('stop the deliveries to a webhook, also of running services')
    .argument('[id]', 'its id')
    .option('--all', 'disable all of them')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('petstore webhooks disable 7', 'petstore webhooks disable --all'))
    .action(async (id, options) => (await import('./webhooks.ts')).disableWebhook(id, options))
}
