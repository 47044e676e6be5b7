import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'

export interface AddressRules {
  /** Whether deliveries may go to addresses that are not public: this machine, its network. */
  allowPrivate: boolean
  /** All addresses of a name. Rejects if there is none. Default: `publicNames`, or `systemNames` if private ones are allowed. */
  resolve?: ResolveName | undefined
}

export type ResolveName = (name: string) => Promise<LookupAddress[]>

/** A URL or an address that no delivery may use. The message is for the owner of the endpoint. */
export class AddressRefused extends Error {
  /** The words after the subject: "must …". */
  readonly rule: string

  constructor(rule: string, subject = 'url') {
    super(`${subject} ${rule}`)
    this.rule = rule
  }
}

const maxUrlLength = 2_048
/** How long the check of a new URL waits for its name. Each delivery checks again. */
const checkTimeoutMs = 2_000
const notHttp = 'must be a valid URL that begins with https:// or http://'
const notPublic = 'must be a public address'
const notName = 'must have a host name of parts with 1 to 63 characters, at most 253 in all'
/** How long the addresses of one family wait for those of the other. RFC 8305 has 50 ms. */
const otherFamilyMs = 100
/** Names of this machine (RFC 6761), which name servers do not know. */
const ownMachine = /(^|\.)localhost\.?$/

/**
 * Why a URL cannot be an endpoint, as the words after its name ("must …"), or undefined. A name that does not resolve
 * now may do so later, so it is accepted: every delivery resolves it and checks again.
 */
export async function refusalOfUrl(text: string, rules: AddressRules): Promise<string | undefined> {
  // The parser skips what is wrong here: `http:///x.example` is no address of x.example.
  if (!/^https?:\/\/[^/\\\s]/i.test(text)) return notHttp
  try {
    const { hostname } = readEndpointUrl(text, rules)
    if (!rules.allowPrivate && isIP(withoutBrackets(hostname)) === 0) await refusePrivateName(hostname, rules)
    return undefined
  } catch (error) {
    if (error instanceof AddressRefused) return error.rule
    throw error
  }
}

async function refusePrivateName(name: string, { resolve = publicNames }: AddressRules): Promise<void> {
  const { promise: timeout, resolve: giveUp } = Promise.withResolvers<LookupAddress[]>()
  const timer = setTimeout(giveUp, checkTimeoutMs, [])
  const found = await Promise.race([resolve(name).catch(() => []), timeout])
  clearTimeout(timer)
  refuseIfAnyPrivate(found)
}

/**
 * The URL, if its text may be an endpoint. The parser writes every form of an IPv4 address (decimal, octal, hex, short)
 * as four numbers. An address is checked here, because a request resolves only names.
 */
export function readEndpointUrl(text: string, { allowPrivate }: Pick<AddressRules, 'allowPrivate'>): URL {
  if (text.length > maxUrlLength) throw new AddressRefused(`must have at most ${maxUrlLength} characters`)
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new AddressRefused(notHttp)
  }
  if (url.username !== '' || url.password !== '') throw new AddressRefused('must have no user name and no password')
  if (url.port === '0') throw new AddressRefused('must have a port from 1 to 65535')
  const address = withoutBrackets(url.hostname)
  const isName = isIP(address) === 0
  if (isName && !canBeName(address)) throw new AddressRefused(notName)
  const isPrivate = isName ? ownMachine.test(address) : !isPublic(address)
  if (!allowPrivate && isPrivate) throw new AddressRefused(notPublic)
  return url
}

/** By the lengths that the name system has (RFC 1035). A dot at the end stands for its root. */
function canBeName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every(({ length }) => length >= 1 && length <= 63)
}

/** For `node:http`: resolves a name for one request, and refuses it if any of its addresses is not public. */
export function endpointLookup({ allowPrivate, resolve }: AddressRules): LookupFunction {
  const resolveName = resolve ?? (allowPrivate ? systemNames : publicNames)
  return (name, options, done) => {
    resolveName(name).then(
      (found) => {
        const [first] = found
        if (first === undefined) return done(new Error(`${name} has no address`), [])
        if (!allowPrivate && !found.every(({ address }) => isPublic(address))) {
          return done(new AddressRefused(notPublic, name), [])
        }
        if (options.all === true) done(null, found)
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, []),
    )
  }
}

/**
 * Asks the name servers. Unlike the system's own look-up this holds no thread while a name server is silent: there are
 * four for all of the process.
 */
export async function publicNames(name: string, resolver = newResolver()): Promise<LookupAddress[]> {
  try {
    return await bothFamilies(ofFamily(4, resolver.resolve4(name)), ofFamily(6, resolver.resolve6(name)))
  } finally {
    resolver.cancel()
  }
}

/** Look-ups of IPv6 addresses by the system that have not ended. */
let pendingSix = 0
/** A name server that is silent about IPv6 holds a thread for seconds, and there are four for all of the process. */
const maxPendingSix = 2

/** As other programs of this machine resolve a name: with its hosts file and search domains. */
export async function systemNames(name: string, lookUp = systemNamesOf): Promise<LookupAddress[]> {
  if (pendingSix >= maxPendingSix) return lookUp(4, name).catch(() => lookUp(6, name))
  pendingSix++
  const six = lookUp(6, name).finally(() => pendingSix--)
  return bothFamilies(lookUp(4, name), six)
}

function newResolver(): Resolver {
  return new Resolver({ timeout: 2_000, tries: 2 })
}

async function ofFamily(family: 4 | 6, addresses: Promise<string[]>): Promise<LookupAddress[]> {
  return (await addresses).map((address) => ({ address, family }))
}

function systemNamesOf(family: 4 | 6, name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true, family }, (error, found) => (error === null ? resolve(found) : reject(error)))
  })
}

/**
 * The addresses of both families. Those of one do not wait for a name server that is silent about the other: an address
 * that is not known is not used. Rejects if there is none.
 */
export async function bothFamilies(...families: Promise<LookupAddress[]>[]): Promise<LookupAddress[]> {
  const found: LookupAddress[] = []
  const asking = families.map(async (family) => found.push(...(await family)))
  await Promise.any(asking).catch(({ errors }: AggregateError) => Promise.reject(errors[0] as Error))
  await Promise.race([Promise.allSettled(asking), sleep(otherFamilyMs)])
  return found.toSorted((one, other) => one.family - other.family)
}

function refuseIfAnyPrivate(found: readonly LookupAddress[]): void {
  if (!found.every(({ address }) => isPublic(address))) throw new AddressRefused(notPublic)
}

const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** Azure's platform answers here, in the middle of public addresses. */
const azurePlatform = '168.63.129.16'

/** Whether an address is one of the public internet. IPv4 inside IPv6 (mapped, NAT64, 6to4, Teredo) is not. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || address === azurePlatform) return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
