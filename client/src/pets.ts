import {
  type BulkChange,
  type BulkForecast,
  type BulkResult,
  type ExportPetsQuery,
  type GetInventoryQuery,
  type Import,
  type ImportResult,
  type Int64,
  type Inventory,
  type ListImportsQuery,
  type ListPetsQuery,
  type NewPet,
  operations,
  type Pet,
  type PetChange,
  type UndoResult,
} from './contract.ts'
import { addEtag, type WithEtag } from './etag.ts'
import { type CountedPage, List } from './list.ts'
import type { CallOptions, ChangeOptions, CreateOptions, ImportOptions, ImportSource, ListOptions } from './options.ts'
import { rememberResponse } from './response-details.ts'
import { itemsOf, malformed, resourceOf, taggedResourceOf } from './response.ts'
import { exportFile, importFile } from './transfer.ts'
import type { Transport } from './transport.ts'

/** The animals of the shop. */
export class Pets {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All matching animals, ascending by id unless `sort` says otherwise. `limit` is the page size. */
  list(
    query: (ListPetsQuery & { name?: undefined; importId?: undefined }) | undefined,
    options: ListOptions & { count: true },
  ): List<Pet, CountedPage<Pet>>
  list(query?: ListPetsQuery, options?: ListOptions): List<Pet>
  list(query?: ListPetsQuery, options?: ListOptions): List<Pet> {
    // Matches of a `name`, and the animals of an import, are not counted.
    const mustCount = options?.count && query?.name === undefined && query?.importId === undefined
    return new List(this.#transport, operations.listPets, query, { ...options, mustCount })
  }

  /** The number of matching animals. Matches of a `name`, and the animals of an import, are not counted. */
  async count(
    filter: Pick<ListPetsQuery, 'id' | 'ids' | 'categoryId' | 'status' | 'without'> = {},
    options?: CallOptions,
  ): Promise<number> {
    return (await this.list({ ...filter, limit: 1 }, { ...options, count: true }).page()).total
  }

  /**
   * The number of animals by status and in the `limit` largest categories, at one moment. `cursor` leads on:
   * `inventory({ cursor })` has the next categories. With `sort: 'id'` also those without animals, by id. With `name` a
   * page may be short, or empty, though others follow.
   */
  async inventory(query?: GetInventoryQuery, options?: CallOptions): Promise<Inventory & { cursor?: string }> {
    const response = await this.#transport.send({ operation: operations.getInventory, query }, options)
    const cursor = response.response.headers.get('next-cursor')
    return Object.assign(resourceOf<Inventory>(response), cursor && { cursor })
  }

  /** The animal with this id, undefined if there is none. */
  async find(id: Int64, options?: CallOptions): Promise<WithEtag<Pet> | undefined> {
    const response = await this.#transport.send({ operation: operations.listPets, query: { id } }, options)
    const [pet, ...others] = itemsOf<Pet>(response)
    if (!pet) return undefined
    // A service without this filter ignores it.
    if (others.length > 0 || String(pet.id) !== String(id)) throw malformed(response, 'has other animals')
    // A list filtered by id has the ETag of its animal.
    return addEtag(rememberResponse(pet, response.response), response.response.headers)
  }

  /**
   * The animal with this id, or `not_found`.
   * @deprecated The operation is removed on 5 December 2030: use `find`.
   */
  async get(id: Int64, options?: CallOptions): Promise<WithEtag<Pet>> {
    return taggedResourceOf(await this.#transport.send({ operation: operations.getPet, id }, options))
  }

  /** Adds an animal. Retries never add it twice. */
  async create(pet: NewPet, options?: CreateOptions): Promise<WithEtag<Pet>> {
    const request = { operation: operations.createPet, body: pet, isKeyed: true }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /**
   * Changes the given members; `status: null` removes the status. Resolves to the changed animal. With `ifMatch`,
   * `precondition_failed` with `mayHaveSucceeded` may be due to the first attempt of this call.
   */
  async update(id: Int64, change: PetChange, options?: ChangeOptions): Promise<WithEtag<Pet>> {
    const request = { operation: operations.updatePet, id, body: change }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /**
   * Removes an animal; `not_found` if there is none. With `mayHaveSucceeded`, `not_found` may be due to the first
   * attempt of this call, or to another client.
   */
  async delete(id: Int64, options?: ChangeOptions): Promise<void> {
    await this.#transport.send({ operation: operations.deletePet, id }, options)
  }

  /**
   * Changes or removes up to 1,000 matching animals in one call: `bulk({ filter, change })` or `bulk({ filter, delete:
   * true })`. With `next` in the result there may be more: call again with the same members and `cursor: next`. Retries do
   * nothing twice.
   */
  async bulk(change: BulkChange, options?: CreateOptions): Promise<BulkResult> {
    const request = { operation: operations.bulkChangePets, body: change, isKeyed: true }
    return resourceOf(await this.#transport.send(request, options))
  }

  /**
   * How many animals such a change would be about, up to 10,000. Nothing is changed. With the `cursor` of the result,
   * `bulk` with the same filter changes no animal that was added since; a second count leaves them out, too.
   */
  async countBulk(change: Omit<BulkChange, 'dryRun'>, options?: CallOptions): Promise<BulkForecast> {
    const request = { operation: operations.bulkChangePets, body: { ...change, dryRun: true } }
    return resourceOf(await this.#transport.send(request, options))
  }

  /**
   * Adds the animals of a CSV or NDJSON file. Invalid rows are reported and skipped. Retries add no row twice; a stream
   * or an iterable is sent once.
   */
  import(file: ImportSource, options?: ImportOptions): Promise<ImportResult> {
    return importFile(this.#transport, file, options)
  }

  /** The imports that can be undone, the newest first. `list({ importId })` has the animals of one. */
  imports(query?: ListImportsQuery, options?: CallOptions): List<Import> {
    return new List(this.#transport, operations.listImports, query, options)
  }

  /**
   * Removes up to 1,000 animals of an import in one call: those that nobody has changed or ordered since. With `next` in
   * the result there may be more: call again with `cursor: next`. Retries remove nothing twice.
   */
  async undoImport(
    importId: string,
    { cursor, ...options }: CreateOptions & { cursor?: string | undefined } = {},
  ): Promise<UndoResult> {
    const request = { operation: operations.undoImport, id: importId, query: { cursor }, isKeyed: true }
    return resourceOf(await this.#transport.send(request, options))
  }

  /** The bytes of a file with all matching animals, ascending by id. Throws if the file ends too early. */
  export(query?: ExportPetsQuery, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined> {
    return exportFile(this.#transport, operations.exportPets, query, options)
  }
}
