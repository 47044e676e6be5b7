import type { Ask, Call, Category } from './history.ts'
import { is, isThere, isWrong, showing, type Touch } from './touch.ts'

type Change = Extract<Ask, { kind: 'nameCategory' | 'removeCategory' }>

/** What calls say about the names of categories. */
export function* categoryTouches(calls: readonly Call[], isLate: boolean): Generator<Touch> {
  // No two requests give the same name.
  const idOfName = new Map(calls.flatMap(categoriesIn).map(({ id, name }) => [name, id]))
  const ids = new Set(idOfName.values())
  const isLost = ({ ask, isMaybe }: Call) => ask.kind === 'addCategory' && isMaybe && !idOfName.has(ask.name)
  const firstLost = calls.find(isLost)?.invoked ?? Infinity

  for (const call of calls) {
    const { ask, answer } = call
    const { status, body, cursor } = answer ?? {}
    switch (ask.kind) {
      case 'addCategory': {
        const id = idOfName.get(ask.name)
        if (id !== undefined && (status === 201 || call.isMaybe))
          yield { of: `category ${id}`, call, wants: is(null), becomes: ask.name }
        break
      }
      case 'nameCategory':
      case 'removeCategory': {
        const touch = changed(call, ask)
        // The service may have given an id in an answer that was lost: then nobody knows whether it has a name.
        const isKnown = ask.id < 0 || firstLost > call.returned
        if (touch !== undefined) yield isKnown || status === 201 ? touch : { ...touch, wants: undefined }
        break
      }
      case 'getCategory':
        if (!isLate && answer !== undefined)
          yield { of: `category ${ask.id}`, call, wants: is(status === 200 ? (body as Category).name : null) }
        break
      case 'categories': {
        if (isLate || status !== 200) break
        const page = new Map((body as Category[]).map(({ id, name }) => [id, name]))
        const start = ask.next?.after ?? -Infinity
        const end = cursor === undefined ? Infinity : Math.max(...page.keys())
        for (const id of ids)
          if (id > start && id <= end) yield { of: `category ${id}`, call, ...showing(page.get(id) ?? null) }
        break
      }
      case 'inventory':
        if (isLate || status !== 200) break
        for (const { id, name = null } of (body as { categories: { id: number; name?: string }[] }).categories)
          yield { of: `category ${id}`, call, ...showing(name) }
        break
      default:
    }
  }
}

function categoriesIn({ ask, answer }: Call): Category[] {
  if (answer === undefined || answer.status >= 300) return []
  if (ask.kind === 'categories') return answer.body as Category[]
  const hasOne = ask.kind === 'addCategory' || ask.kind === 'nameCategory' || ask.kind === 'getCategory'
  return hasOne ? [answer.body as Category] : []
}

function changed(call: Call, ask: Change): Touch | undefined {
  const { answer } = call
  const of = `category ${ask.id}`
  const only = ask.kind === 'nameCategory' ? ask.only : 'known'
  const becomes = ask.kind === 'nameCategory' ? ask.name : null
  if (answer === undefined) {
    if (!call.isMaybe) return undefined
    return { of, call, wants: only === undefined ? undefined : only === 'new' ? is(null) : isThere, becomes }
  }
  switch (answer.status) {
    case 200:
      return { of, call, wants: only === 'new' ? isWrong : isThere, becomes }
    case 201:
      return { of, call, wants: only === 'known' ? isWrong : is(null), becomes }
    case 204:
    case 409:
      return { of, call, wants: isThere, ...(answer.status === 204 && { becomes }) }
    case 412:
      return { of, call, wants: only === 'new' ? isThere : is(null) }
    default:
      return { of, call, wants: is(null) }
  }
}
