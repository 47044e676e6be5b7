import { newWebhookSecret, shownWebhook, type StoredWebhook, typesOf } from '../../../inventory/stored-webhook.ts'
import { type Endpoint, maxWebhooks, type Webhooks } from '../../../inventory/webhooks.ts'
import type { Engine } from './engine.ts'

type List = Pick<Engine, 'list'>

async function enabled({ list }: List): Promise<StoredWebhook[]> {
  const { items } = await list('webhooks', maxWebhooks, { after: 0n })
  return items.filter(({ disabledAt }) => disabledAt === undefined)
}

export async function enabledEndpoints(engine: List): Promise<Endpoint[]> {
  return (await enabled(engine)).map(toEndpoint)
}

export function webhooksPort({ find, list, write, clock }: Engine): Webhooks {
  return {
    async list(limit, after) {
      const page = await list('webhooks', limit, { after })
      return { ...page, items: page.items.map(shownWebhook) }
    },
    async find(id) {
      const webhook = await find('webhooks', id)
      return webhook && shownWebhook(webhook)
    },
    create: (webhook) => write('createWebhook', { webhook, secret: newWebhookSecret(), at: clock() }),
    update: (id, change, precondition) => write('updateWebhook', { id, change, at: clock(), precondition }),
    remove: (id, precondition) => write('removeWebhook', { id, precondition }),
    rotate: (id) => write('rotateWebhook', { id, secret: newWebhookSecret(), at: clock() }),
    async disable(id, reason, activeSince) {
      const command = { id, reason, at: clock(), activeSince }
      return (await write('disableWebhook', command)).isDisabled
    },
    async disableAll(reason) {
      const at = clock()
      const ids = (await enabled({ list })).map(({ id }) => id)
      const results = await Promise.all(ids.map((id) => write('disableWebhook', { id, reason, at })))
      return results.filter(({ isDisabled }) => isDisabled).length
    },
    async endpoint(id) {
      const webhook = await find('webhooks', id)
      return webhook && toEndpoint(webhook)
    },
    enabled: () => enabledEndpoints({ list }),
  }
}

function toEndpoint(stored: StoredWebhook): Endpoint {
  const { id, url, types, format, secret, previousSecret, previousSecretExpiresAt, startsAfter, activeSince } = stored
  return {
    id,
    url,
    ...(types !== undefined && { types: new Set(typesOf(types)) }),
    format,
    secret,
    ...(previousSecret !== undefined &&
      previousSecretExpiresAt !== undefined && {
        previousSecret: { secret: previousSecret, expiresAt: Date.parse(previousSecretExpiresAt) },
      }),
    startsAfter,
    activeSince: Date.parse(activeSince),
  }
}
