import { type Int64, type ListPetsQuery, type NewPet, operations, type Pet, type PetChange } from './contract.ts'
import { isPetStoreError, UnexpectedResponseError } from './errors.ts'
import { etagOf, rememberEtag } from './etag.ts'
import { List } from './list.ts'
import { randomId } from './random-id.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface CreateOptions extends CallOptions {
  /**
   * Names this attempt: with the same key and the same body again, even from another process, nothing is done twice.
   * A random one unless given.
   */
  idempotencyKey?: string | undefined
}

export interface ChangeOptions extends CallOptions {
  /** Only if nobody changed the animal since: an ETag, or an animal as `get` or `update` returned it. Else `precondition_failed`. */
  ifMatch?: string | Pet | undefined
}

/** The animals of the shop. */
export class Pets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All animals within the filter, ascending by id. `limit` is the size of the pages that they are fetched in. */
  list(query?: ListPetsQuery, options?: CallOptions): List<Pet> {
    return new List(this.#transport, operations.listPets, query, options)
  }

  /** How many animals are within the filter. */
  async count(filter: Omit<ListPetsQuery, 'limit' | 'cursor'> = {}, options?: CallOptions): Promise<number> {
    const { headers, details } = await this.#transport.ask(
      {
        operation: operations.listPets,
        query: { ...filter, limit: 1, cursor: undefined },
        headers: { prefer: 'count=exact' },
        repetition: 'repeatable',
      },
      options,
    )
    const total = headers.get('x-total-count')
    if (total === null) throw new UnexpectedResponseError('The service does not count.', 200, details)
    return Number(total)
  }

  /** The animal with this id, undefined when there is none. */
  async find(id: Int64, options?: CallOptions): Promise<Pet | undefined> {
    const query: ListPetsQuery = { id }
    const { body } = await this.#transport.ask(
      { operation: operations.listPets, query, repetition: 'repeatable' },
      options,
    )
    return (body as Pet[])[0]
  }

  /**
   * The animal with this id, or `not_found`. Its ETag: `etagOf`.
   * @deprecated The operation is removed on 5 December 2030: use `find`.
   */
  async get(id: Int64, options?: CallOptions): Promise<Pet> {
    return this.#one(await this.#transport.ask({ operation: operations.getPet, id, repetition: 'repeatable' }, options))
  }

  /** Adds an animal. Never twice, however often it has to be tried. */
  async create(pet: NewPet, { idempotencyKey = randomId(), ...options }: CreateOptions = {}): Promise<Pet> {
    const { body } = await this.#transport.ask(
      {
        operation: operations.createPet,
        headers: { 'idempotency-key': idempotencyKey },
        body: pet,
        repetition: 'repeatable',
      },
      options,
    )
    return body as Pet
  }

  /**
   * Changes what is given and leaves the rest; `status: null` takes the status away. Resolves to the animal as it is then.
   *
   * Without `ifMatch` it is not tried again once it may have been done: it could undo what somebody else did meanwhile.
   * With it it is, since the second time finds the animal changed; `precondition_failed` with `mayHaveSucceeded` may then be
   * the doing of its own first try.
   */
  async update(id: Int64, change: PetChange, { ifMatch, ...options }: ChangeOptions = {}): Promise<Pet> {
    const etag = etagFrom(ifMatch)
    const answer = await this.#transport.ask(
      {
        operation: operations.updatePet,
        id,
        headers: { 'if-match': etag },
        body: change,
        repetition: etag === undefined ? 'once' : 'repeatable',
      },
      options,
    )
    return this.#one(answer)
  }

  /**
   * Removes an animal for good, or `not_found`. Ids are not given again, so it can be tried again: an animal that is not
   * found after a try whose answer was lost counts as removed.
   */
  async delete(id: Int64, { ifMatch, ...options }: ChangeOptions = {}): Promise<void> {
    const headers = { 'if-match': etagFrom(ifMatch) }
    try {
      await this.#transport.ask({ operation: operations.deletePet, id, headers, repetition: 'repeatable' }, options)
    } catch (error) {
      if (!(isPetStoreError(error, 'not_found') && error.mayHaveSucceeded)) throw error
    }
  }

  #one({ body, headers }: { body: unknown; headers: Headers }): Pet {
    const pet = body as Pet
    rememberEtag(pet, headers)
    return pet
  }
}

function etagFrom(ifMatch: string | Pet | undefined): string | undefined {
  if (typeof ifMatch !== 'object') return ifMatch
  const etag = etagOf(ifMatch)
  if (etag === undefined) throw new TypeError('ifMatch must be an ETag, or an animal that get or update returned.')
  return etag
}
