import type { TObject } from 'typebox'
import { type Operation, permissions } from '../../src/contract/operation.ts'
import { operations } from '../../src/contract/operations/operations.ts'
import { requests as validRequests } from '../support/operations.ts'
import { changes } from './changes.ts'
import type { RawRequest } from './exchange.ts'
import { messages, paths } from './messages.ts'
import { lastEtag, type Parts, rawRequest } from './raw-request.ts'

const strict = 'Prefer: handling=strict'

/** Every request of the corpus, in the order in which it is sent. Those that change the shop come last. */
export const corpus: readonly RawRequest[] = [
  ...operations.flatMap(refusals),
  ...operations.filter(({ method }) => method === 'GET').flatMap(reads),
  ...paths,
  ...messages,
  ...changes.map((request) => ({ ...request, isChange: true as const })),
]

/** One request for each gate of an operation. */
function refusals(operation: Operation): RawRequest[] {
  const { id, method, path: pattern, permission, credential, parameters = {}, body: schema } = operation
  const [start, body, type = 'application/json'] = validRequests[id] as [string, string?, string?]
  const path = start.slice(method.length + 1)
  const typed = body === undefined ? [] : [`Content-Type: ${type}`]
  const key = credential === undefined ? 'admin' : 'invited'
  const send = (gate: string, { headers = [], ...parts }: Parts = {}, to = path) =>
    rawRequest(`${id}: ${gate}`, `${method} ${to}`, { body, key, ...parts, headers: [...typed, ...headers] })
  const all = [
    send('no key', { key: '' }),
    send('wrong key', { key: 'unknown' }),
    send('strict, unknown parameter', { headers: [strict] }, `${path}?unknown=1`),
    send('address too long', {}, path.padEnd(4_097, '?')),
    send('unknown expectation', { headers: ['Expect: 200-ok'] }),
    send('broken escape', {}, `${path}%zz`),
  ]
  if (method === 'GET' || parameters.header?.properties['If-Match'] !== undefined) {
    all.push(send('another version', { headers: ['If-Match: "x"', 'If-None-Match: "y"'] }))
  }
  const lower = permissions[permissions.indexOf(permission) - 1]
  if (lower !== undefined) all.push(send(`${lower} key`, { key: lower }))
  for (const name of Object.keys(parameters.query?.properties ?? {})) {
    all.push(send(`${name} twice`, {}, `${path}?${name}=1&${name}=1`), send(`${name} empty`, {}, `${path}?${name}=`))
  }
  if (pattern.includes('{')) {
    const replaceId = (other: string) => path.replace(/\/(1|2|key_other)(?=\/|$)/, `/${other}`)
    all.push(send('broken id', {}, replaceId('00x')))
    // A PUT would create it.
    if (method !== 'PUT') all.push(send('unknown id', {}, replaceId('999')))
  }
  if ('Idempotency-Key' in (parameters.header?.properties ?? {})) {
    all.push(
      send('broken idempotency key', { headers: ['Idempotency-Key: ""'] }),
      send('two idempotency keys', { headers: ['Idempotency-Key: a', 'Idempotency-Key: b'] }),
    )
  }
  if (body === undefined) return all
  const untyped = (gate: string, parts: Parts) => rawRequest(`${id}: ${gate}`, start, parts)
  const members = Object.keys((schema as TObject | undefined)?.properties ?? {})
  return [
    ...all,
    untyped('no body', {}),
    untyped('no media type', { body }),
    untyped('wrong media type', { headers: ['Content-Type: text/plain'], body }),
    send('content coding', { headers: ['Content-Encoding: gzip'] }),
    send('broken body', { body: '{' }),
    send('array', { body: '[]' }),
    send('wrong members', { body: JSON.stringify(Object.fromEntries(members.map((member) => [member, {}]))) }),
    // Files are not strict.
    ...(schema === undefined
      ? []
      : [send('strict, unknown member', { headers: [strict], body: `{"unknown":1,${body.slice(1)}` })]),
    send('body too large', { headers: ['Content-Length: 1073741825'], body: '', ending: 'unsent body' }),
    send('broken chunk', { headers: ['Transfer-Encoding: chunked'], body: 'zz\r\n' }),
    send('body ends early', { headers: ['Content-Length: 999'], ending: 'half-close' }),
    send('client leaves', { headers: ['Content-Length: 999'], ending: 'leave' }),
  ]
}

/** A read in every form in which clients ask for it. */
function reads({ id }: Operation): RawRequest[] {
  const [start] = validRequests[id] as [string]
  const send = (form: string, headers: readonly string[] = [], as = start) =>
    rawRequest(`${id}: ${form}`, as, { headers })
  return [
    send('read'),
    // These may come from caches.
    send('again'),
    send('once more'),
    send('HEAD', [], start.replace('GET', 'HEAD')),
    send('known version', [`If-None-Match: ${lastEtag}`]),
    send('HEAD of a known version', [`If-None-Match: W/${lastEtag}, "x"`], start.replace('GET', 'HEAD')),
    send('required version', [`If-Match: ${lastEtag}`]),
    send('any version is known', ['If-None-Match: *']),
    send('strict, exact count', ['Prefer: handling=strict, count=exact']),
    send('gzip', ['Accept-Encoding: gzip']),
    send('any coding but none', ['Accept-Encoding: br, identity;q=0']),
    send('HTML', ['Accept: text/html']),
    rawRequest(`${id}: with a body`, start, { body: '{}' }),
  ]
}
