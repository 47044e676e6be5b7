import type { Operation, Parameter } from './document.ts'
import { type Check, freshTarget, sentFor } from './shop.ts'

type Effect = (check: Check, operation: Operation) => Promise<boolean>

const effects: Record<string, Effect> = {
  async 'Idempotency-Key'(check, operation) {
    const sent = await sentFor(check, operation, { 'idempotency-key': `effect of ${operation.id}` })
    const { path } = await freshTarget(check, operation)
    const [first, second] = [await check.send(operation, path, sent), await check.send(operation, path, sent)]
    return first.status < 300 && second.headers.get('idempotent-replayed') === 'true' && first.text === second.text
  },
  'If-Match': (check, operation) => isRefused(check, operation, { 'if-match': '"another"' }),
  'If-None-Match': (check, operation) => isRefused(check, operation, { 'if-none-match': '*' }),
  async 'Last-Event-ID'({ app }) {
    const abort = new AbortController()
    const headers = { authorization: `Bearer ${app.key}`, accept: 'text/event-stream', 'last-event-id': '1' }
    const stream = await fetch(`${app.origin}/v1/events`, { headers, signal: abort.signal })
    let text = ''
    for await (const part of stream.body ?? []) {
      text += Buffer.from(part).toString()
      if (text.includes('data: ')) break
    }
    abort.abort()
    return /"id":"(\d+)-/.exec(text)?.[1] === '2'
  },
}

const preferences: Record<string, Effect> = {
  async 'handling=strict'(check, operation) {
    const { path } = await freshTarget(check, operation)
    const sent = await sentFor(check, operation, { prefer: 'handling=strict' })
    return (await check.send(operation, `${path}?invented=1`, sent)).status === 400
  },
  async 'export-end'(check, operation) {
    const { text } = await check.send(operation, operation.path, { headers: { prefer: 'export-end' } })
    return /\n\{"end":\{"bytes":\d+\}\}\n$/.test(text)
  },
  async 'count=exact'(check, operation) {
    const { body } = await check.send(operation, `${operation.path}?limit=100`)
    const { headers } = await check.send(operation, `${operation.path}?limit=1`, { headers: { prefer: 'count=exact' } })
    return headers.get('x-total-count') === String((body as unknown[]).length)
  },
}

/** A documented header has its effect; of Prefer, every preference that its description names. */
export async function checkHeader(check: Check, operation: Operation, parameter: Parameter): Promise<void> {
  const { name, description = '' } = parameter
  const known = name === 'Prefer' ? preferences : effects
  const names =
    name === 'Prefer'
      ? [...description.matchAll(/(?:^|\. )`([a-z-]+(?:=[a-z]+)?)`/g)].map(([, text]) => text as string)
      : [name]
  if (names.length === 0) check.missing.add(`${operation.id}: ${name} names no preference`)
  for (const each of names) {
    const isThere = known[each] !== undefined && (await known[each](check, operation))
    if (!isThere) check.missing.add(`${operation.id}: ${each} has no effect`)
  }
}

async function isRefused(check: Check, operation: Operation, headers: Record<string, string>): Promise<boolean> {
  const { path } = await freshTarget(check, operation)
  return (await check.send(operation, path, await sentFor(check, operation, headers))).status === 412
}
