import type { Command } from 'commander'
import { examples } from './help.ts'

/** The verbs that print a document of the interface. */
export function addDocumentVerbs(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document')
    .addHelpText('after', examples('petstore openapi > openapi.json'))
    .action(async () => print((await import('../contract/document/openapi.ts')).openApiDocument()))

  program
    .command('asyncapi')
    .description('print the AsyncAPI document: the events that the service sends')
    .addHelpText('after', examples('petstore asyncapi > asyncapi.json'))
    .action(async () => print((await import('../contract/document/asyncapi.ts')).asyncApiDocument()))
}

function print(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
