import { type Exchange, headerOf, jsonOf } from '../shop/exchange.ts'
import { hasJsonType, isError, readPet, statuses } from '../shop/expect.ts'
import { int64Of, type Json, member } from '../shop/json.ts'
import type { Operation } from './operation.ts'
import type { Verdicts } from './verdicts.ts'

/** The rules of an Error, by its status: media type, members, and the status in it. */
const errorRules: Record<number, { type: string; members: string; status: string }> = {
  400: { type: 'C-4-6', members: 'C-7-3', status: 'C-2-11' },
  401: { type: 'C-4-4', members: 'C-7-1', status: 'C-2-9' },
  404: { type: 'C-4-5', members: 'C-7-2', status: 'C-2-10' },
}
const typeRules = { list: 'C-4-1', create: 'C-4-2', get: 'C-4-3' }

/** The form of a response by itself: its media type, and the members of what it carries. */
export function judgeShape(operation: Operation, exchange: Exchange, verdicts: Verdicts): void {
  const { response } = exchange
  if (response === undefined) return
  const coding = headerOf(response, 'content-encoding') ?? 'identity'
  // A client that decodes it, as it is told to, cannot read it.
  const isMislabelled = response.content === undefined && jsonOf(response) !== undefined && !/^identity$/i.test(coding)
  verdicts.judge(
    'C-4-14',
    isMislabelled && { exchange, expected: `a body in the coding ${coding}, as the header says` },
  )
  const errors = errorRules[response.status]
  if (errors !== undefined) return judgeError(errors, exchange, verdicts)
  if (response.status >= 300) return
  verdicts.judge(
    typeRules[operation.kind],
    !hasJsonType(response) && { exchange, expected: 'the Content-Type application/json' },
  )
  if (operation.kind === 'list') judgeList(exchange, verdicts)
  else if (operation.kind === 'get')
    verdicts.judge(
      'C-4.3-2',
      readPet(jsonOf(response)) === undefined && {
        exchange,
        expected: 'a body with an id (int64), a name (string), a categoryId (int64), and a status of the three, if any',
      },
    )
}

function judgeError(rules: (typeof errorRules)[number], exchange: Exchange, verdicts: Verdicts): void {
  const response = exchange.response as NonNullable<Exchange['response']>
  const body = jsonOf(response)
  verdicts.judge(rules.type, !hasJsonType(response) && { exchange, expected: 'the Content-Type application/json' })
  verdicts.judge(
    rules.members,
    !isError(body) && {
      exchange,
      expected: 'an Error with code (string), message (string) and status (integer)',
    },
  )
  const status = int64Of(member(body, 'status'))
  if (status !== undefined)
    verdicts.judge(
      rules.status,
      status !== BigInt(response.status) && { exchange, expected: `"status":${response.status} in the body` },
    )
}

function judgeList(exchange: Exchange, verdicts: Verdicts): void {
  const pets = exchange.response && jsonOf(exchange.response)
  if (!Array.isArray(pets)) return
  const ids = new Set<bigint>()
  let twice: bigint | undefined
  for (const pet of pets) {
    const wrong = wrongMember(pet)
    verdicts.judge('C-2-1', wrong !== undefined && { exchange, expected: `each animal to have ${wrong}` })
    const status = member(pet, 'status')
    verdicts.judge(
      'C-2-2',
      status !== undefined &&
        status !== null &&
        !(statuses as readonly Json[]).includes(status) && {
          exchange,
          expected: 'each status to be available, pending or sold',
        },
    )
    const id = int64Of(member(pet, 'id'))
    if (id === undefined) continue
    if (ids.has(id)) twice ??= id
    ids.add(id)
  }
  verdicts.judge('C-2-3', twice !== undefined && { exchange, expected: 'each id once', came: `the id ${twice} twice` })
}

function wrongMember(pet: Json): string | undefined {
  if (int64Of(member(pet, 'id')) === undefined) return 'an id that is an int64'
  if (typeof member(pet, 'name') !== 'string') return 'a name that is a string'
  return int64Of(member(pet, 'categoryId')) === undefined ? 'a categoryId that is an int64' : undefined
}
