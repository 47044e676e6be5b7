import {
  brief,
  brokenHttp,
  type Exchange,
  headerOf,
  isServerRefusal,
  jsonOf,
  type ShopRequest,
} from '../shop/exchange.ts'
import { readPet, removalTime } from '../shop/expect.ts'
import { Animals } from './animals.ts'
import { Lists } from './lists.ts'
import type { SentPet } from './new-pet.ts'
import { type Credential, credentialOf, type Operation, operationOf } from './operation.ts'
import { judgeShape } from './shapes.ts'
import { Verdicts } from './verdicts.ts'

export interface ModelOptions {
  key: string
  mark: string
  markCategory: bigint
  /** How long an animal that was added may take to be seen. */
  settleMs: number
  clock: () => number
}

const missingKeyRules = { list: 'C-5-1', create: 'C-5-2', get: 'C-5-3' }
const wrongKeyRules = { list: 'C-5-4', create: 'C-5-5', get: 'C-5-6' }

/**
 * Everything that a run has sent and got. Every response to an operation of the contract is judged by itself and
 * against those before it. Order is what was awaited: a response that was there before a request was sent is earlier.
 */
export class Model {
  readonly verdicts = new Verdicts()
  readonly #options: ModelOptions
  readonly #animals: Animals
  readonly #lists: Lists
  /** Keys that the run has made may work too. */
  #hasOtherKeys = false

  constructor(options: ModelOptions) {
    this.#options = options
    this.#animals = new Animals(options, this.verdicts)
    this.#lists = new Lists(this.#animals, this.verdicts, options.settleMs)
  }

  /** A request is about to be sent. */
  sending(request: ShopRequest): void {
    if (/^\/(?:keys|invitations)\b/.test(request.path)) this.#hasOtherKeys = true
    this.#forgetChanged(request)
  }

  /** A response came, or none. */
  take(exchange: Exchange): void {
    const { request, response } = exchange
    this.#forgetChanged(request)
    const operation = operationOf(request)
    if (operation === undefined) return
    if (operation.kind === 'get' && this.#options.clock() >= removalTime) return
    const credential = credentialOf(request, this.#options.key)
    if (operation.kind === 'create') this.#animals.create(exchange, operation.sent, exchange.gotMs ?? 0)
    const broken = brokenHttp(exchange)
    if (response === undefined && broken !== undefined)
      this.verdicts.judge('C-4-14', { exchange, expected: 'a whole response of HTTP' })
    if (response === undefined || this.#isPutOff(exchange) || credential === 'silent') return
    if (isServerRefusal(exchange)) return
    if (credential === 'wrong' && this.#hasOtherKeys) return
    judgeShape(operation, exchange, this.verdicts)
    if (credential !== 'right') return this.#judgeRefusedKey(operation, credential, exchange)
    this.verdicts.judge(
      'C-5-12',
      response.status === 401 && { exchange: brief(exchange), expected: 'the key to be accepted' },
    )
    if (response.status === 401) return
    if (operation.kind === 'list') this.#takeList(operation, exchange)
    else if (operation.kind === 'get') this.#takeGet(operation.id, exchange)
    else this.#takeCreate(operation.sent, exchange)
  }

  /** The run is over, its clean-up too. */
  finish(): void {
    this.#lists.finish()
    this.#animals.finish()
  }

  #judgeRefusedKey({ kind }: Operation, credential: Credential, exchange: Exchange): void {
    this.verdicts.judge(
      (credential === 'missing' ? missingKeyRules : wrongKeyRules)[kind],
      exchange.response?.status !== 401 && { exchange: brief(exchange), expected: 'the status 401' },
    )
  }

  #takeCreate({ verdict, rule, categoryId }: SentPet, exchange: Exchange): void {
    const expect = (wanted: number) =>
      exchange.response?.status !== wanted && { exchange: brief(exchange), expected: `the status ${wanted}` }
    const { status = 0 } = exchange.response ?? {}
    // A shop may refuse a category that it does not know, but not fail.
    if (verdict === 'valid' && (status >= 500 || this.#animals.hasTaken(categoryId)))
      this.verdicts.judge('C-4.2-1', expect(201))
    if (verdict === 'invalid' && rule !== undefined) this.verdicts.judge(rule, expect(400))
  }

  #takeList(list: Extract<Operation, { kind: 'list' }>, exchange: Exchange): void {
    const pets = exchange.response?.status === 200 ? jsonOf(exchange.response) : undefined
    if (Array.isArray(pets))
      this.#animals.see(
        pets.map(readPet).filter((pet) => pet !== undefined),
        exchange,
        'C-2-12',
      )
    this.#lists.judge(list, exchange)
  }

  #takeGet(id: bigint, exchange: Exchange): void {
    const { response } = exchange
    const added = this.#animals.added.get(id)
    const isDue = added !== undefined && added.atMs + this.#options.settleMs <= (exchange.sentMs ?? 0)
    if (isDue)
      this.verdicts.judge(
        'C-4.3-1',
        response?.status !== 200 && { exchange: brief(exchange), expected: 'the status 200', earlier: added.made },
      )
    else
      this.verdicts.judge(
        'C-4.3-3',
        ![200, 404].includes(response?.status ?? 0) && { exchange: brief(exchange), expected: 'the status 200 or 404' },
      )
    if (response?.status === 404) {
      this.#animals.strangers.miss(id, exchange)
      this.#lists.notFound(id)
    }
    const pet = response?.status === 200 ? readPet(jsonOf(response)) : undefined
    if (pet === undefined) return
    this.verdicts.judge(
      'C-4.3-2',
      pet.id !== id && { exchange: brief(exchange), expected: `the animal ${id}`, earlier: added?.made },
    )
    if (pet.id !== id) return
    this.#animals.see([pet], exchange, 'C-4.3-2')
    if (this.#animals.strangers.has(id)) this.#lists.found(pet, exchange)
  }

  /** Requests that the contract does not have may change any animal, a PATCH or DELETE the one that it names. */
  #forgetChanged(request: ShopRequest): void {
    const { method, path } = request
    if (['GET', 'HEAD', 'OPTIONS', 'PROPFIND'].includes(method) || operationOf(request) !== undefined) return
    const id = /^\/pets\/(-?\d{1,19})$/.exec(path)?.[1]
    if (id === undefined || method === 'POST') this.#animals.forget()
    else if (method === 'DELETE') this.#animals.removed(BigInt(id))
    else this.#animals.forget(BigInt(id))
  }

  /** The contract does not speak of limits, nor of keys that may only read: this one may, unless it has added an animal. */
  #isPutOff({ request, response }: Exchange): boolean {
    const isLater = response?.status === 503 && headerOf(response, 'retry-after') !== undefined
    const isReader = response?.status === 403 && request.method === 'POST' && !this.#animals.hasAdded
    return response?.status === 429 || isLater || isReader
  }
}
