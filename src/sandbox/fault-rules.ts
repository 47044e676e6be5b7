import { isUtf8 } from 'node:buffer'
import { codesByStatus, type ErrorCode } from '../contract/error.ts'
import { operations } from '../contract/operations/operations.ts'
import { PetStoreError } from '../inventory/errors.ts'
import { randomNumbers } from './random-numbers.ts'

/** What goes wrong for one request. */
export interface Fault {
  name: FaultName
  seconds?: number | undefined
}

const behaviours = [
  '502',
  '504',
  'delay',
  'delay-response',
  'close',
  'reset',
  'committed-then-cut',
  'drip',
  'not-json',
  'wrong-result',
  'never',
  'repeat-event',
  'end-stream',
  'stall-stream',
] as const
type Behaviour = (typeof behaviours)[number]

/** A status of the closed set, or a behaviour. */
export type FaultName = Behaviour | `${number}`
export const faultNames: readonly string[] = [...Array.from(codesByStatus.keys(), String), ...behaviours]
/** The names that are the status of a response, as numbers. */
export const faultStatuses: readonly number[] = faultNames.map(Number).filter(Number.isInteger)

/** The code of a fault that is an error. */
export function codeOf({ name }: Fault): ErrorCode | undefined {
  // Without a reason of its own, 400 is a request that cannot be understood.
  return name === '400' ? 'invalid_request' : codesByStatus.get(Number(name))?.[0]
}

/** What the numbers of a rule may be. */
export const bounds = {
  seconds: { minimum: 0, maximum: 600 },
  times: { minimum: 1, maximum: 1_000_000 },
  after: { minimum: 0, maximum: 1_000_000 },
  share: { minimum: 0, maximum: 1 },
  seed: { minimum: 0, maximum: 2 ** 32 - 1 },
}
export const maxSeconds = bounds.seconds.maximum
const maxRules = 100

interface Bounds {
  minimum: number
  maximum: number
}

/** A fault for software that cannot send headers. */
export interface FaultRule extends Record<string, unknown> {
  /** The id of an operation; absent for all. */
  operation?: string
  fault: FaultName
  seconds?: number
  /** How often it is applied; absent for always. */
  times?: number
  /** How many requests pass before. */
  after?: number
  /** The part of the requests that it is applied to, from 0 to 1, chosen by `seed`. */
  share?: number
  seed?: number
}

const number = ({ minimum, maximum }: Bounds) => ({
  allowed: `a number from ${minimum} to ${maximum}`,
  isValid: (value: unknown) => typeof value === 'number' && value >= minimum && value <= maximum,
})
const integer = (within: Bounds) => ({
  allowed: `an integer from ${within.minimum} to ${within.maximum}`,
  isValid: (value: unknown) => Number.isSafeInteger(value) && number(within).isValid(value),
})
const oneOf = (values: readonly string[], allowed = `one of ${values.join(', ')}`) => ({
  allowed,
  isValid: (value: unknown) => values.includes(value as string),
})

const members: Record<string, { allowed: string; isValid: (value: unknown) => boolean }> = {
  operation: oneOf(
    operations.map(({ id }) => id),
    'the id of an operation, such as createPet',
  ),
  fault: oneOf(faultNames),
  seconds: number(bounds.seconds),
  times: integer(bounds.times),
  after: integer(bounds.after),
  share: number(bounds.share),
  seed: integer(bounds.seed),
}

/** Reads the body of `PUT /sandbox/faults`. */
export function readRules(body: Buffer | undefined): FaultRule[] {
  let rules: unknown
  try {
    rules = body !== undefined && isUtf8(body) ? JSON.parse(body.toString()) : undefined
  } catch {
    // As any other body that is not an array.
  }
  if (!Array.isArray(rules) || rules.length > maxRules) {
    throw invalid(`The body must be a JSON array of at most ${maxRules} faults, in UTF-8.`)
  }
  return rules.map((rule: unknown, index) => readRule(rule, index + 1))
}

function readRule(rule: unknown, number: number): FaultRule {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    throw invalid(`Fault ${number} must be an object.`)
  const { fault } = rule as { fault?: unknown }
  const given = { ...rule, ...(typeof fault === 'number' && { fault: String(fault) }) } as FaultRule
  if (given.fault === undefined)
    throw invalid(`Fault ${number}: fault is missing: it must be ${members['fault']?.allowed}.`)
  for (const [name, value] of Object.entries(given)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined
    if (member === undefined) throw invalid(`Fault ${number}: there is no ${JSON.stringify(name.slice(0, 50))}.`)
    if (!member.isValid(value)) throw invalid(`Fault ${number}: ${name} must be ${member.allowed}.`)
  }
  return given
}

function invalid(message: string): PetStoreError {
  return new PetStoreError('invalid_body', message, { fields: [] })
}

export type FaultRules = ReturnType<typeof faultRules>

/** The rules of a shop. The first one that matches a request decides. The same rules and requests give the same faults. */
export function faultRules() {
  let active: { rule: FaultRule; seen: number; applied: number; random: () => number }[] = []

  return {
    list: () => active.map(({ rule, applied }) => ({ ...rule, applied })),

    set(rules: readonly FaultRule[]): void {
      active = rules.map((rule) => ({ rule, seen: 0, applied: 0, random: randomNumbers(rule.seed ?? 1) }))
    },

    /** The fault of a request of this operation. */
    next(operation: string): Fault | undefined {
      for (const entry of active) {
        const { rule } = entry
        if (rule.operation !== undefined && rule.operation !== operation) continue
        if (entry.applied >= (rule.times ?? Number.POSITIVE_INFINITY)) continue
        entry.seen++
        if (entry.seen <= (rule.after ?? 0) || entry.random() >= (rule.share ?? 1)) continue
        entry.applied++
        return { name: rule.fault, seconds: rule.seconds }
      }
      return undefined
    },
  }
}

const preference = /(?:^|,)\s*fault\s*=\s*"?([\w-]{1,40})"?\s*(?:;\s*seconds\s*=\s*"?([\d.]{1,10})"?\s*)?(?:;|,|$)/i

/** The fault that a request asks for in `Prefer: fault=NAME; seconds=2`. */
export function preferredFault(prefer: string): Fault | undefined {
  if (!/\bfault\s*=/i.test(prefer)) return undefined
  const [, name = '', seconds] = preference.exec(prefer) ?? []
  const fault = { name: name.toLowerCase() as FaultName, seconds: seconds === undefined ? undefined : Number(seconds) }
  const isTime = fault.seconds === undefined || fault.seconds <= maxSeconds
  if (faultNames.includes(fault.name) && isTime) return fault
  throw new PetStoreError(
    'invalid_parameter',
    `Prefer: fault must be ${members['fault']?.allowed}, with seconds from 0 to ${maxSeconds}.`,
    { fields: ['Prefer'] },
  )
}
