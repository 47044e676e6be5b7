import {
  type CreatedInvitation,
  type CreatedKey,
  type CurrentInvitation,
  type Int64,
  type Invitation,
  type ListInvitationsQuery,
  type NewInvitation,
  operations,
} from './contract.ts'
import { List } from './list.ts'
import type { CallOptions, ListOptions } from './options.ts'
import { resourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** Links that give a colleague a key, for the owner of an admin key; anyone else gets `forbidden`. */
export class Invitations {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All invitations that were not used, ascending by id. `limit` is the page size. */
  list(query?: ListInvitationsQuery, options?: ListOptions): List<Invitation> {
    return new List(this.#transport, operations.listInvitations, query, options)
  }

  /** The invitation with this id, or `not_found`. */
  async get(id: Int64, options?: CallOptions): Promise<Invitation> {
    return resourceOf(await this.#transport.send({ operation: operations.getInvitation, id }, options))
  }

  /**
   * Invites a colleague, for 24 hours or until `expiresAt`. `link` and `token` are in this response only. Not repeated
   * after an unknown outcome: a second invitation would be made.
   */
  async create(
    invitation: Omit<NewInvitation, 'expiresAt'> & { expiresAt?: string | Date | undefined },
    options?: CallOptions,
  ): Promise<CreatedInvitation> {
    const request = { operation: operations.createInvitation, body: invitation }
    return resourceOf(await this.#transport.send(request, options))
  }

  /** Takes an invitation back. With `mayHaveSucceeded`, `not_found` may be due to the first attempt of this call. */
  async delete(id: Int64, options?: CallOptions): Promise<void> {
    await this.#transport.send({ operation: operations.deleteInvitation, id }, options)
  }

  /**
   * What an invitation says before it is accepted, of a client whose `apiKey` is the token of the invitation;
   * `unauthorized` if it does not work.
   */
  async current(options?: CallOptions): Promise<CurrentInvitation> {
    return resourceOf(await this.#transport.send({ operation: operations.getCurrentInvitation }, options))
  }

  /**
   * Accepts an invitation, of a client whose `apiKey` is the token of the invitation. Resolves to a key, whose secret,
   * `key`, is in this response only; `unauthorized` if the invitation does not work any more. Not repeated after an
   * unknown outcome: it works once.
   */
  async redeem(options?: CallOptions): Promise<CreatedKey> {
    return resourceOf(await this.#transport.send({ operation: operations.redeemInvitation }, options))
  }
}
