import { isIP } from 'node:net'
import { ruleOf } from '../../contract/field-rules.ts'

/** One setting: an environment variable, its meaning, and how its text is read. */
export interface Setting<Value> {
  variable: string
  meaning: string
  /** The default, shown in the help. Undefined if the setting is off by default. */
  fallback: string | undefined
  /** The default in staging, if it differs. */
  stagingFallback?: string
  /** The allowed values, in words that follow "must be". */
  allowed: string
  /** Returns undefined for invalid text. */
  read(text: string): Value | undefined
}

export function text(
  variable: string,
  fallback: string | undefined,
  meaning: string,
  allowed: string,
  form: RegExp,
): Setting<string> {
  return { variable, fallback, meaning, allowed, read: (given) => (form.test(given) ? given : undefined) }
}

export function integer(
  variable: string,
  fallback: string | undefined,
  meaning: string,
  min: number,
  max: number,
): Setting<number> {
  const { allowed, fromText } = ruleOf({ type: 'integer', minimum: min, maximum: max })
  // Unlike a parameter, a setting may have leading zeros.
  const read = (given: string) => fromText(given.replace(/^0+(?=[0-9])/, '')) as number | undefined
  return { variable, fallback, meaning, allowed, read }
}

export interface ListenAddress {
  host: string
  port: number
}

/** An address and a port to listen on; an IPv6 address is in brackets. */
export function listenAddress(variable: string, meaning: string): Setting<ListenAddress> {
  function read(given: string): ListenAddress | undefined {
    const [, ipv6, name, digits = ''] = /^(?:\[([\da-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(given) ?? []
    const host = ipv6 ?? name
    return host === undefined || Number(digits) > 65535 ? undefined : { host, port: Number(digits) }
  }
  const allowed = 'an address and a port, such as 127.0.0.1:9090 or [::]:9090'
  return { variable, fallback: undefined, meaning, allowed, read }
}

export function choice<const Value extends string>(
  variable: string,
  fallback: NoInfer<Value>,
  meaning: string,
  values: readonly Value[],
): Setting<Value> {
  const { allowed, fromText } = ruleOf({ enum: values })
  return { variable, fallback, meaning, allowed, read: (given) => fromText(given) as Value | undefined }
}

/** In milliseconds. */
export function duration(variable: string, fallback: string, meaning: string, min: string): Setting<number> {
  const minMs = readDuration(min) as number
  function read(given: string): number | undefined {
    const milliseconds = readDuration(given)
    return milliseconds === undefined || milliseconds < minMs ? undefined : milliseconds
  }
  return {
    variable,
    fallback,
    meaning,
    allowed: `a time of ${min} or more, such as 30d, 12h or 90m (at most 9 digits)`,
    read,
  }
}

export function list(
  variable: string,
  meaning: string,
  item: { allowed: string; read(text: string): string | undefined },
): Setting<string[]> {
  function read(given: string): string[] | undefined {
    const items = given.split(',').map((part) => item.read(part.trim()))
    return items.every((each) => each !== undefined) ? items : undefined
  }
  return { variable, fallback: undefined, meaning, allowed: item.allowed, read }
}

/** For `list`. */
export const origin = {
  allowed: 'origins such as https://shop.example, separated by commas, or *',
  read: (given: string) =>
    given === '*' || (URL.canParse(given) && new URL(given).origin === given) ? given : undefined,
}

const baseUrlForm = /^https?:\/\/[^?#\s]+\/v1$/

export function baseUrl(variable: string, meaning: string): Setting<string> {
  /** As `URL` writes it, in ASCII: the address is in headers. */
  function read(given: string): string | undefined {
    const url = baseUrlForm.test(given) && URL.canParse(given) ? new URL(given).href : ''
    return baseUrlForm.test(url) ? url : undefined
  }
  return { variable, fallback: undefined, meaning, allowed: 'an http or https address that ends in /v1', read }
}

export function trustProxy(variable: string): Setting<boolean | string[]> {
  return {
    variable,
    fallback: 'false',
    meaning: 'Whether to trust X-Forwarded-* headers: true, false, or the addresses of the proxies.',
    allowed: 'true, false, or addresses and networks separated by commas',
    read(given) {
      if (given === 'true' || given === 'false') return given === 'true'
      const addresses = given.split(',').map((part) => part.trim())
      return addresses.every(isNetwork) ? addresses : undefined
    },
  }
}

/** A setting with another default in staging. */
export function inStaging<Value>(setting: Setting<Value>, stagingFallback: string): Setting<Value> {
  return { ...setting, stagingFallback }
}

/** The default of a setting, for people. */
export function defaultOf({ fallback, stagingFallback }: Setting<unknown>): string {
  return `${fallback ?? 'not set'}${stagingFallback === undefined ? '' : `; in staging ${stagingFallback}`}`
}

export type Optional<Value> = Setting<Value> & { optional: true }

export function optional<Value>(setting: Setting<Value>): Optional<Value> {
  return { ...setting, optional: true }
}

/** An IP address, or a network with a prefix length. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/')
  const longest = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  return rest.length === 0 && /^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= longest
}

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds in a time such as 90d, 12h, 30m or 45s; undefined for other text. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (units[unit] as number)
}
