import type { WithHeaders } from './request-headers.ts'

// Each kind of part matches wherever it begins, a quoted text also without its end: so reading takes linear time.
const parts = /[^\s,;="]+|"(?:[^"\\]|\\.)*\\?"?|[,;=]/g
const quoted = /^"((?:[^"\\]|\\.)*)"$/

/**
 * The preferences of the client (RFC 7240), names and values in lower case. Several `Prefer` headers are
 * joined already. If a preference is given twice, the first counts; invalid and unknown ones are ignored.
 */
export function preferencesOf({ headers }: WithHeaders): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let preference: string[] = []
  for (const part of [...(headers.prefer?.match(parts) ?? []), ',']) {
    if (part !== ',') {
      preference.push(part)
      continue
    }
    const [name, value] = readPreference(preference) ?? []
    if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, value)
    preference = []
  }
  return found
}

/** The name and the value, without parameters; undefined if it is invalid. */
function readPreference(all: readonly string[]): [string, string] | undefined {
  const end = all.indexOf(';')
  const [name = '', equals = '=', text = '', more] = end === -1 ? all : all.slice(0, end)
  const value = text.startsWith('"') ? quoted.exec(text)?.[1] : text
  if (!/^[^="]/.test(name) || equals !== '=' || value === undefined || value === '=' || more !== undefined)
    return undefined
  return [name.toLowerCase(), value.toLowerCase()]
}
