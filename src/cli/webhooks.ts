import { int64FromText } from '../contract/int64.ts'
import { encodeWebhook, type Webhook } from '../contract/webhook.ts'
import { maxWebhooks } from '../inventory/webhooks.ts'
import { Failure } from './shared/failure.ts'
import { table } from './shared/table.ts'
import { databaseOf, readStorage, withStorage } from './shared/with-storage.ts'
import { amount } from './transfer/format-numbers.ts'

export async function listWebhooks({ json = false }: { json?: boolean }): Promise<void> {
  await readStorage('Webhooks', async ({ webhooks }, config) => {
    const { items } = await webhooks.list(maxWebhooks, 0n)
    if (json) return write(`[${items.map(encodeWebhook).join(',')}]`)
    if (items.length === 0) return write(`There are no webhooks in ${databaseOf(config)}.`)
    const rows = items.map((webhook) => [
      String(webhook.id),
      webhook.url,
      stateOf(webhook),
      webhook.format,
      typesOf(webhook),
    ])
    write(`${table(['ID', 'URL', 'STATE', 'FORMAT', 'TYPES'], rows)}\n\nThe webhooks of ${databaseOf(config)}.`)
  })
}

export interface DisableOptions {
  all?: boolean
  json?: boolean
}

export async function disableWebhook(text: string | undefined, { all = false, json = false }: DisableOptions) {
  if ((text === undefined) !== all) throw new Failure('Name the id of a webhook, or --all.')
  const id = text === undefined ? undefined : int64FromText(text)
  if (text !== undefined && id === undefined) throw unknown(text)
  await withStorage('Webhooks', async ({ webhooks }, config) => {
    if (id !== undefined && (await webhooks.find(id)) === undefined) throw unknown(String(id))
    const disabled =
      id === undefined ? await webhooks.disableAll('requested') : Number(await webhooks.disable(id, 'requested'))
    if (json) return write(JSON.stringify({ disabled }))
    const done = `Disabled ${amount(disabled, 'webhook')} in ${databaseOf(config)}.`
    write(disabled === 0 ? `Nothing was enabled in ${databaseOf(config)}.` : done)
  })
}

function unknown(id: string): Failure {
  return new Failure(`No webhook has the id "${id}": petstore webhooks list shows them.`)
}

function stateOf({ enabled, disabledReason, disabledAt = '' }: Webhook): string {
  return enabled ? 'enabled' : `disabled (${disabledReason}, ${disabledAt.slice(0, 16).replace('T', ' ')}Z)`
}

function typesOf({ types }: Webhook): string {
  return types === undefined ? 'all' : types.map((type) => type.replace('petstore.', '')).join(' ')
}

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}
