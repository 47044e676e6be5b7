import {
  type CreatedKey,
  type Key,
  type KeyChange,
  type KeyReplacement,
  type NewKey,
  operations,
  type RotatedKey,
} from './contract.ts'
import type { CallOptions } from './options.ts'
import { itemsOf, resourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** A time may also be a `Date`. */
type WithDates<Body, Times extends keyof Body> = Omit<Body, Times> & { [Time in Times]?: string | Date | undefined }

/** API keys, for the owner of an admin key; anyone else gets `forbidden`. */
export class Keys {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All keys, also expired and revoked ones, the oldest first. */
  async list(options?: CallOptions): Promise<Key[]> {
    return itemsOf(await this.#transport.send({ operation: operations.listKeys }, options))
  }

  /** The key with this id, or `not_found`. */
  async get(id: string, options?: CallOptions): Promise<Key> {
    return resourceOf(await this.#transport.send({ operation: operations.getKey, id }, options))
  }

  /**
   * Makes a key. Its secret, `key`, is in this response only. Not repeated after an unknown outcome: a second key would
   * be made.
   */
  async create(key: WithDates<NewKey, 'expiresAt'>, options?: CallOptions): Promise<CreatedKey> {
    return resourceOf(await this.#transport.send({ operation: operations.createKey, body: key }, options))
  }

  /** Gives a key another name. Events keep the name that it had. */
  async update(id: string, change: KeyChange, options?: CallOptions): Promise<Key> {
    return resourceOf(await this.#transport.send({ operation: operations.updateKey, id, body: change }, options))
  }

  /** Ends a key for good; `conflict` if no other admin key works as long as this one. */
  async revoke(id: string, options?: CallOptions): Promise<Key> {
    return resourceOf(await this.#transport.send({ operation: operations.revokeKey, id }, options))
  }

  /**
   * Makes a key that replaces another, which works for 24 hours more, or until `replacedKeyExpiresAt`. `conflict` as for
   * `revoke`, and if the old key does not work any more. Not repeated after an unknown outcome.
   */
  async rotate(
    id: string,
    replacement: WithDates<KeyReplacement, 'replacedKeyExpiresAt'> = {},
    options?: CallOptions,
  ): Promise<RotatedKey> {
    return resourceOf(await this.#transport.send({ operation: operations.rotateKey, id, body: replacement }, options))
  }
}
