import { Categories } from './categories.ts'
import { Events } from './events.ts'
import { Invitations } from './invitations.ts'
import { Keys } from './keys.ts'
import type { PetStoreOptions } from './options.ts'
import { Orders } from './orders.ts'
import { Pets } from './pets.ts'
import { readOptions } from './read-options.ts'
import { Transport } from './transport.ts'
import { WebhookEndpoints } from './webhook-endpoints.ts'

/** A pet store. It holds no connection and need not be closed. */
export class PetStore {
  readonly pets: Pets
  readonly orders: Orders
  readonly categories: Categories
  readonly events: Events
  readonly keys: Keys
  readonly invitations: Invitations
  readonly webhooks: WebhookEndpoints

  constructor(options: PetStoreOptions) {
    const transport = new Transport(readOptions(options))
    this.pets = new Pets(transport)
    this.orders = new Orders(transport)
    this.categories = new Categories(transport)
    this.events = new Events(transport)
    this.keys = new Keys(transport)
    this.invitations = new Invitations(transport)
    this.webhooks = new WebhookEndpoints(transport)
  }
}
